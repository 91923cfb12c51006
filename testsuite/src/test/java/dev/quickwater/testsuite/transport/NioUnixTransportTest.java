package dev.quickwater.testsuite.transport;

import org.junit.jupiter.api.Nested;

final class NioUnixTransportTest {

  @Nested
  class Echoing extends EchoTests implements OnNioUnix {}

  @Nested
  class Connecting extends ConnectTests implements OnNioUnix {}

  @Nested
  class HalfClosing extends HalfCloseTests implements OnNioUnix {}

  @Nested
  class Broken extends BrokenTests implements OnNioUnix {}

  @Nested
  class Lingering extends LingerTests implements OnNioUnix {}

  @Nested
  class Writability extends WritabilityTests implements OnNioUnix {}

  @Nested
  class Pausing extends PauseTests implements OnNioUnix {}

  @Nested
  class Files extends FileTests implements OnNioUnix {}

  @Nested
  class OffLoop extends OffLoopTests implements OnNioUnix {}

  @Nested
  class Closing extends CloseTests implements OnNioUnix {}

  @Nested
  class Memory extends MemoryTests implements OnNioUnix {}

  @Nested
  class Streams extends UnixStreamTests implements OnNioUnix {}
}
