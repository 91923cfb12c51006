package dev.quickwater.testsuite.transport;

import org.junit.jupiter.api.Nested;

final class NioTransportTest {

  @Nested
  class Echoing extends EchoTests implements OnNio {}

  @Nested
  class Connecting extends ConnectTests implements OnNio {}

  @Nested
  class HalfClosing extends HalfCloseTests implements OnNio {}

  @Nested
  class Broken extends BrokenTests implements OnNio {}

  @Nested
  class Lingering extends LingerTests implements OnNio {}

  @Nested
  class Writability extends WritabilityTests implements OnNio {}

  @Nested
  class Pausing extends PauseTests implements OnNio {}

  @Nested
  class Files extends FileTests implements OnNio {}

  @Nested
  class Bootstraps extends BootstrapTests implements OnNio {}

  @Nested
  class OffLoop extends OffLoopTests implements OnNio {}

  @Nested
  class Options extends OptionTests implements OnNio {}

  @Nested
  class Closing extends CloseTests implements OnNio {}

  @Nested
  class Loops extends LoopTests implements OnNio {}

  @Nested
  class Exhausted extends ExhaustionTests implements OnNio {}

  @Nested
  class Memory extends MemoryTests implements OnNio {}

  @Nested
  class Datagrams extends DatagramTests implements OnNio {}
}
