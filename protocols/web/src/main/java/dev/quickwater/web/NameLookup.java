package dev.quickwater.web;

import java.net.InetAddress;
import java.net.UnknownHostException;

/// Finds the addresses of a host name. May block.
@FunctionalInterface
interface NameLookup {

  /// The lookup of the system.
  NameLookup SYSTEM = InetAddress::getAllByName;

  /// The addresses in order of preference, at least one.
  InetAddress[] find(String host) throws UnknownHostException;
}
