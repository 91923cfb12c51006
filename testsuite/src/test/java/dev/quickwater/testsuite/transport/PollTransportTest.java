package dev.quickwater.testsuite.transport;

import org.junit.jupiter.api.Nested;

final class PollTransportTest {

  @Nested
  class Echoing extends EchoTests implements OnPoll {}

  @Nested
  class Connecting extends ConnectTests implements OnPoll {}

  @Nested
  class HalfClosing extends HalfCloseTests implements OnPoll {}

  @Nested
  class Broken extends BrokenTests implements OnPoll {}

  @Nested
  class Lingering extends LingerTests implements OnPoll {}

  @Nested
  class Writability extends WritabilityTests implements OnPoll {}

  @Nested
  class Pausing extends PauseTests implements OnPoll {}

  @Nested
  class Files extends FileTests implements OnPoll {}

  @Nested
  class Bootstraps extends BootstrapTests implements OnPoll {}

  @Nested
  class OffLoop extends OffLoopTests implements OnPoll {}

  @Nested
  class Options extends OptionTests implements OnPoll {}

  @Nested
  class Closing extends CloseTests implements OnPoll {}

  @Nested
  class Loops extends LoopTests implements OnPoll {}

  @Nested
  class Exhausted extends ExhaustionTests implements OnPoll {}

  @Nested
  class Memory extends MemoryTests implements OnPoll {}

  @Nested
  class Datagrams extends DatagramTests implements OnPoll {}
}
