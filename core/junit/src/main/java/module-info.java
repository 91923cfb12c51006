/// Helpers for tests of programs that use Quickwater.
module dev.quickwater.junit {
  requires transitive dev.quickwater.common;
  requires transitive org.junit.jupiter.api;
  requires static transitive org.jspecify;

  exports dev.quickwater.junit;

  provides org.junit.jupiter.api.extension.Extension with
      dev.quickwater.junit.LeakExtension;
}
