package dev.quickwater.testsuite.transport;

/// Which transport a class of the suite runs on.
interface Transport {

  /// The name that settings choose it by.
  String transport();

  /// What its connections are made of.
  default AddressFamily family() {
    return AddressFamily.TCP;
  }
}
