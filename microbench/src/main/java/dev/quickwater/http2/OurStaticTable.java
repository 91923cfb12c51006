package dev.quickwater.http2;

import dev.quickwater.http.HeaderName;

/// Our look-up in the static table.
public final class OurStaticTable {

  private OurStaticTable() {}

  /// The static index of a field; otherwise that of its name, negative; 0 if there is neither.
  public static int index(HeaderName name, byte[] value) {
    return StaticTable.indexOf(name, value);
  }
}
