package dev.quickwater.testsuite.transport;

import org.junit.jupiter.api.Nested;

final class EpollUnixTransportTest {

  @Nested
  class Echoing extends EchoTests implements OnEpollUnix {}

  @Nested
  class Connecting extends ConnectTests implements OnEpollUnix {}

  @Nested
  class HalfClosing extends HalfCloseTests implements OnEpollUnix {}

  @Nested
  class Broken extends BrokenTests implements OnEpollUnix {}

  @Nested
  class Lingering extends LingerTests implements OnEpollUnix {}

  @Nested
  class Writability extends WritabilityTests implements OnEpollUnix {}

  @Nested
  class Pausing extends PauseTests implements OnEpollUnix {}

  @Nested
  class Files extends FileTests implements OnEpollUnix {}

  @Nested
  class OffLoop extends OffLoopTests implements OnEpollUnix {}

  @Nested
  class Closing extends CloseTests implements OnEpollUnix {}

  @Nested
  class Memory extends MemoryTests implements OnEpollUnix {}

  @Nested
  class Streams extends UnixStreamTests implements OnEpollUnix {}

  @Nested
  class Datagrams extends UnixDatagramTests implements OnEpollUnix {}

  @Nested
  class Descriptors extends DescriptorTests implements OnEpollUnix {}
}
