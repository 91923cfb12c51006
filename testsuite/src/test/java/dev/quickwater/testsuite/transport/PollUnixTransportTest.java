package dev.quickwater.testsuite.transport;

import org.junit.jupiter.api.Nested;

final class PollUnixTransportTest {

  @Nested
  class Echoing extends EchoTests implements OnPollUnix {}

  @Nested
  class Connecting extends ConnectTests implements OnPollUnix {}

  @Nested
  class HalfClosing extends HalfCloseTests implements OnPollUnix {}

  @Nested
  class Broken extends BrokenTests implements OnPollUnix {}

  @Nested
  class Lingering extends LingerTests implements OnPollUnix {}

  @Nested
  class Writability extends WritabilityTests implements OnPollUnix {}

  @Nested
  class Pausing extends PauseTests implements OnPollUnix {}

  @Nested
  class Files extends FileTests implements OnPollUnix {}

  @Nested
  class OffLoop extends OffLoopTests implements OnPollUnix {}

  @Nested
  class Closing extends CloseTests implements OnPollUnix {}

  @Nested
  class Memory extends MemoryTests implements OnPollUnix {}

  @Nested
  class Streams extends UnixStreamTests implements OnPollUnix {}

  @Nested
  class Datagrams extends UnixDatagramTests implements OnPollUnix {}

  @Nested
  class Descriptors extends DescriptorTests implements OnPollUnix {}
}
