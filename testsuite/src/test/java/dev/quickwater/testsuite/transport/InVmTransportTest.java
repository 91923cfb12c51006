package dev.quickwater.testsuite.transport;

import org.junit.jupiter.api.Nested;

/// The topics that apply without sockets. Tests that need a kernel are aborted.
final class InVmTransportTest {

  @Nested
  class Echoing extends EchoTests implements OnInVm {}

  @Nested
  class Connecting extends ConnectTests implements OnInVm {}

  @Nested
  class HalfClosing extends HalfCloseTests implements OnInVm {}

  @Nested
  class Broken extends BrokenTests implements OnInVm {}

  @Nested
  class Lingering extends LingerTests implements OnInVm {}

  @Nested
  class Writability extends WritabilityTests implements OnInVm {}

  @Nested
  class Pausing extends PauseTests implements OnInVm {}

  @Nested
  class Files extends FileTests implements OnInVm {}

  @Nested
  class OffLoop extends OffLoopTests implements OnInVm {}

  @Nested
  class Closing extends CloseTests implements OnInVm {}

  @Nested
  class Loops extends LoopTests implements OnInVm {}

  @Nested
  class Memory extends MemoryTests implements OnInVm {}
}
