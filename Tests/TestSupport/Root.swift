import Glibc

/// Whether root runs the tests. `packaging/test` names each test that needs it, and runs the others as a user without
/// privileges.
package let isRoot = geteuid() == 0
