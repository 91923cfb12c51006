package dev.quickwater.testsuite.transport;

import org.junit.jupiter.api.Nested;

final class EpollTransportTest {

  @Nested
  class Echoing extends EchoTests implements OnEpoll {}

  @Nested
  class Connecting extends ConnectTests implements OnEpoll {}

  @Nested
  class HalfClosing extends HalfCloseTests implements OnEpoll {}

  @Nested
  class Broken extends BrokenTests implements OnEpoll {}

  @Nested
  class Lingering extends LingerTests implements OnEpoll {}

  @Nested
  class Writability extends WritabilityTests implements OnEpoll {}

  @Nested
  class Pausing extends PauseTests implements OnEpoll {}

  @Nested
  class Files extends FileTests implements OnEpoll {}

  @Nested
  class Bootstraps extends BootstrapTests implements OnEpoll {}

  @Nested
  class OffLoop extends OffLoopTests implements OnEpoll {}

  @Nested
  class Options extends OptionTests implements OnEpoll {}

  @Nested
  class Closing extends CloseTests implements OnEpoll {}

  @Nested
  class Loops extends LoopTests implements OnEpoll {}

  @Nested
  class Exhausted extends ExhaustionTests implements OnEpoll {}

  @Nested
  class Memory extends MemoryTests implements OnEpoll {}

  @Nested
  class Datagrams extends DatagramTests implements OnEpoll {}
}
