package dev.quickwater.testsuite.transport;

import org.junit.jupiter.api.Nested;

final class EpollTransportTest {

  @Nested
  class Echoing extends EchoTests implements OnEpoll {}
}
