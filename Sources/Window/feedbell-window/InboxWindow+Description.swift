import GTK
import VisibleText

extension InboxWindow {
    /// The structure of the window.
    static var description: String {
        """
        <object class="AdwApplicationWindow" id="window">
          <property name="default-width">620</property>
          <property name="default-height">760</property>
          <property name="width-request">340</property>
          <property name="height-request">300</property>
          <property name="title">Feedbell</property>
          <property name="content"><object class="GtkBox">
            <property name="orientation">vertical</property>
            <child>\(header)</child>
            <child>\(search)</child>
            <child>\(tabs)</child>
            <child>\(FilterBar.description)</child>
            <child><object class="GtkBox" id="banners">
              <property name="orientation">vertical</property>
            </object></child>
            <child><object class="AdwToastOverlay" id="toasts">
              <property name="child">\(contents)</property>
            </object></child>
            <child>\(selectionBar)</child>
          </object></property>
        </object>
        """
    }

    /// The text of a control that has only an icon. Screen readers would say the tooltip after the label.
    private static func label(_ text: String) -> String {
        """
        <property name="tooltip-text">\(Markup.escaped(text))</property>
        <accessibility>
          <property name="label">\(Markup.escaped(text))</property><property name="description"></property>
        </accessibility>
        """
    }

    private static var header: String {
        """
        <object class="AdwHeaderBar" id="header">
          <child type="start"><object class="GtkSpinner" id="work">
            <property name="visible">0</property>
            <accessibility>
              <property name="label">\(Markup.escaped(translated("Please Wait")))</property>
            </accessibility>
          </object></child>
          <!-- The main menu has them, too. -->
          <child type="start"><object class="AdwSqueezer">
            <property name="allow-none">1</property>
            <child><object class="GtkBox">
              <property name="spacing">6</property>
              <child><object class="GtkMenuButton" id="pause"/></child>
              <child>\(button("mark-all-read", "object-select-symbolic", translated("Mark All as Read")))</child>
            </object></child>
          </object></child>
          <property name="title-widget"><object class="GtkMenuButton" id="places">
            <property name="tooltip-text">\(Markup.escaped(translated("Choose what is listed")))</property>
            <property name="always-show-arrow">1</property>
            <style><class name="flat"/></style>
            <property name="child"><object class="AdwSqueezer">
              <child><object class="GtkBox">
                <property name="spacing">6</property>
                <child><object class="GtkLabel" id="title">
                  <style><class name="heading"/></style>
                </object></child>
                <child><object class="GtkLabel" id="count">
                  <property name="valign">center</property>
                  <style><class name="count"/></style>
                </object></child>
              </object></child>
              <child><object class="GtkLabel" id="narrow-title"><style><class name="heading"/></style></object></child>
              <child><object class="GtkLabel" id="two-line-title">
                <property name="wrap">1</property><property name="lines">2</property>
                <property name="ellipsize">end</property><property name="justify">center</property>
                <style><class name="caption-heading"/></style>
              </object></child>
              <child><object class="GtkLabel" id="cut-title">
                <property name="ellipsize">end</property>
                <style><class name="caption-heading"/></style>
              </object></child>
            </object></property>
          </object></property>
          <child type="end"><object class="GtkMenuButton" id="menu">
            <property name="icon-name">open-menu-symbolic</property>
            <property name="primary">1</property>
            \(label(translated("Main menu")))
          </object></child>
          <child type="end"><object class="GtkToggleButton" id="select">
            <property name="icon-name">selection-mode-symbolic</property>
            \(label(translated("Select notifications")))
          </object></child>
          <child type="end"><object class="GtkToggleButton" id="search-toggle">
            <property name="icon-name">system-search-symbolic</property>
            \(label(translated("Search")))
          </object></child>
        </object>
        """
    }

    private static var search: String {
        """
        <object class="GtkSearchBar" id="search-bar">
          <property name="child"><object class="AdwClamp">
            <property name="hexpand">1</property>
            <property name="maximum-size">480</property>
            <property name="child"><object class="GtkSearchEntry" id="search"/></property>
          </object></property>
        </object>
        """
    }

    private static var tabs: String {
        """
        <object class="GtkScrolledWindow" id="tab-scroller">
          <property name="visible">0</property>
          <property name="vscrollbar-policy">never</property>
          <property name="hscrollbar-policy">external</property>
          <property name="child"><object class="GtkBox" id="tabs">
            <property name="spacing">6</property>
            <property name="halign">center</property>
            <property name="margin-start">12</property><property name="margin-end">12</property>
            <property name="margin-top">6</property><property name="margin-bottom">6</property>
            <style><class name="tabs"/></style>
          </object></property>
        </object>
        """
    }

    private static var contents: String {
        """
        <object class="GtkOverlay">
          <property name="vexpand">1</property>
          <child type="overlay"><object class="GtkButton" id="new-above">
            <property name="visible">0</property>
            <property name="halign">center</property><property name="valign">start</property>
            <style><class name="pill"/><class name="suggested-action"/><class name="new-above"/></style>
          </object></child>
          <child type="overlay"><object class="GtkBox" id="list-end">
            <property name="visible">0</property><property name="can-target">0</property>
            <property name="halign">center</property><property name="valign">end</property>
            <property name="spacing">8</property><property name="margin-bottom">20</property>
            <child><object class="GtkSpinner" id="list-end-spinner"/></child>
            <child><object class="GtkLabel" id="list-end-text"><style><class name="dim-label"/></style></object></child>
          </object></child>
          <property name="child"><object class="GtkStack" id="contents">
            <child><object class="GtkStackPage">
              <property name="name">loading</property>
              <property name="child"><object class="GtkSpinner" id="spinner">
                <property name="halign">center</property><property name="valign">center</property>
                <property name="width-request">32</property><property name="height-request">32</property>
                <accessibility>
                  <property name="label">\(Markup.escaped(translated("Loading …")))</property>
                </accessibility>
              </object></property>
            </object></child>
            <child><object class="GtkStackPage">
              <property name="name">list</property>
              <property name="child"><object class="GtkScrolledWindow" id="scroller">
                <property name="hscrollbar-policy">never</property>
                <property name="child"><object class="AdwClampScrollable">
                  <property name="maximum-size">760</property>
                  <property name="tightening-threshold">600</property>
                  <property name="child"><object class="GtkListView" id="list">
                    <style><class name="inbox"/></style>
                    <accessibility>
                      <property name="label">\(Markup.escaped(translated("Notifications")))</property>
                    </accessibility>
                  </object></property>
                </object></property>
              </object></property>
            </object></child>
            <child><object class="GtkStackPage">
              <property name="name">notice</property>
              <property name="child"><object class="AdwStatusPage" id="notice">
                <property name="child"><object class="GtkButton" id="notice-button">
                  <property name="halign">center</property>
                  <style><class name="pill"/><class name="suggested-action"/></style>
                </object></property>
              </object></property>
            </object></child>
          </object></property>
        </object>
        """
    }

    private static var selectionBar: String {
        """
        <object class="GtkRevealer" id="selection-revealer">
          <property name="visible">0</property>
          <property name="transition-type">slide-up</property>
          <property name="child"><object class="GtkActionBar">
            <child type="start"><object class="AdwSqueezer">
              <property name="margin-start">6</property>
              <child><object class="GtkLabel" id="selection-title"/></child>
              <child><object class="GtkLabel" id="selection-count"/></child>
            </object></child>
            <child type="end">\(button("delete", "user-trash-symbolic", translated("Delete")))</child>
            <child type="end"><object class="GtkMenuButton" id="snooze">
              <property name="icon-name">alarm-symbolic</property>
              <property name="direction">up</property>
              \(label(translated("Snooze")))
            </object></child>
            <child type="end">\(button("unarchive", "edit-undo-symbolic", translated("Unarchive")))</child>
            <child type="end">\(button("archive", "package-x-generic-symbolic", translated("Archive")))</child>
            <child type="end">\(button("unread", "mail-unread-symbolic", translated("Mark as Unread")))</child>
            <child type="end">\(button("read", "object-select-symbolic", translated("Mark as Read")))</child>
          </object></property>
        </object>
        """
    }

    private static func button(_ action: String, _ icon: String, _ text: String) -> String {
        """
        <object class="GtkButton">
          <property name="icon-name">\(icon)</property>
          <property name="action-name">inbox.\(action)</property>
          \(label(text))
        </object>
        """
    }
}
