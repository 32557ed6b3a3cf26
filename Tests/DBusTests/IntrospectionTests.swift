import DBus
import TestSupport
import Testing

@Suite struct IntrospectionTests {
    @Test("A declaration yields its introspection data") func outline() {
        #expect(
            Clock.description.outline == [
                "interface org.example.Clock1",
                "method SetAlarm", "  in x time", "  in s label", "  out u id",
                "method Stop",
                "method Who", "  out s caller",
                "property u Alarms read emits",
                "property s Label readwrite emits",
                "property s Model read const",
                "property u Ticks read silent",
                "property u Zone readwrite invalidates",
                "signal Rang", "  u id",
            ]
        )
    }

    @Test("Introspection data is parsed from its own XML unchanged") func roundTrip() throws {
        let node = NodeDescription(
            interfaces: [Clock.description, PropertiesInterface.description],
            children: ["a", "b_2d"]
        )
        #expect(try NodeDescription(xml: node.xml) == node)
    }

    @Test("Introspection data of other implementations is parsed")
    func foreignDocuments() throws {
        let xml = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN" "http://x/>" [ <!ENTITY a \
            "b>"> ]>
            <!-- a comment with <interface name="no"/> -->
            <node name="/org/example" xmlns:doc='http://example.org/doc'>
              <interface name='org.example.A'>
                <doc:doc><doc:para>Text with <![CDATA[ <tags> ]]></doc:para></doc:doc>
                <annotation name="org.example.Note" value="&lt;&#65;&#x42;&amp;&quot;"/>
                <method name="M">
                  <arg type="s"/><arg name="out" type="as" direction="out" ><annotation name="a.b" value=""/></arg>
                </method>
                <property name="P" type="u" access="read"/>
                <property name="Q" type="u" access="write">
                  <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
                </property>
                <signal name="S"/>
              </interface>
              <node name="child"/><node><interface name="not.mine"/></node>
            </node>
            """
        let node = try NodeDescription(xml: xml)
        #expect(node.children == ["child", ""])
        #expect(node.interfaces.map(\.name) == ["org.example.A"])
        #expect(
            node.interface("org.example.A")?.outline == [
                "interface org.example.A", "method M", "  in s", "  out as out", "property u P read emits",
                "property u Q write silent", "signal S",
            ]
        )
    }

    @Test(
        "XML that is not introspection data is rejected with a message",
        arguments: [
            "", "<node>", "<node></interface>", "</node>", "<interface name='a.b'/>", "<node/><node/>",
            "<node><interface/></node>",
            "<node><interface name='a'/></node>", "<node><interface name='a.b'><method/></interface></node>",
            "<node><interface name='a.b'><method name='M'><arg type='ss'/></method></interface></node>",
            "<node><interface name='a.b'><property name='P' type='s' access='maybe'/></interface></node>",
            "<node a='1' a='2'/>", "<node a=1/>", "<node a='&nope;'/>", "<node a='&#xD800;'/>", "<!-- ", "<node", "<",
            "<node a='", "<!DOCTYPE [",
        ]
    )
    func invalidXML(_ xml: String) {
        let error = #expect(throws: DBusError.self) { try NodeDescription(xml: xml) }
        #expect(error?.message.isEmpty == false)
    }

    @Test("A randomly changed document is parsed or rejected, and never traps") func mutatedXML() {
        let bytes = Array(NodeDescription(interfaces: [Clock.description], children: ["a"]).xml.utf8)
        var random = SeededGenerator(seed: 7)
        for _ in 0..<2000 {
            var mutated = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<mutated.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: mutated[index] = Array("<>/=\"'&;- a".utf8).randomElement(using: &random)!
                case 1: mutated.remove(at: index)
                default: mutated.removeSubrange(index..<min(mutated.count, index + 20))
                }
            }
            let text = String(decoding: mutated, as: UTF8.self)
            // A parsed description can be written and parsed again.
            if let node = try? NodeDescription(xml: text) { #expect((try? NodeDescription(xml: node.xml)) == node) }
        }
    }
}
