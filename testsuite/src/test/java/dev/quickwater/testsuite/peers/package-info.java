/// Peers of other projects: clients, proxies and origin servers.
@NullMarked
package dev.quickwater.testsuite.peers;

import org.jspecify.annotations.NullMarked;
