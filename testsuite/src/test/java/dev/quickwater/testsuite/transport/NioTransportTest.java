package dev.quickwater.testsuite.transport;

import org.junit.jupiter.api.Nested;

final class NioTransportTest {

  @Nested
  class Echoing extends EchoTests implements OnNio {}
}
