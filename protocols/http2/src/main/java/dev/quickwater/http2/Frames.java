package dev.quickwater.http2;

/// Constants of the frame layer (RFC 9113 sections 4.1 and 6).
public final class Frames {

  /// Bytes of a frame header.
  public static final int HEADER = 9;

  /// Type: section 6.1.
  public static final int DATA = 0;

  /// Type: section 6.2.
  public static final int HEADERS = 1;

  /// Type: section 6.3.
  public static final int PRIORITY = 2;

  /// Type: section 6.4.
  public static final int RST_STREAM = 3;

  /// Type: section 6.5.
  public static final int SETTINGS = 4;

  /// Type: section 6.6.
  public static final int PUSH_PROMISE = 5;

  /// Type: section 6.7.
  public static final int PING = 6;

  /// Type: section 6.8.
  public static final int GOAWAY = 7;

  /// Type: section 6.9.
  public static final int WINDOW_UPDATE = 8;

  /// Type: section 6.10.
  public static final int CONTINUATION = 9;

  /// Type: RFC 9218 section 7.1.
  public static final int PRIORITY_UPDATE = 0x10;

  /// Flag of SETTINGS and PING.
  public static final int ACK = 0x1;

  /// Flag of DATA and HEADERS.
  public static final int END_STREAM = 0x1;

  /// Flag of HEADERS, PUSH_PROMISE and CONTINUATION.
  public static final int END_HEADERS = 0x4;

  /// Flag of DATA, HEADERS and PUSH_PROMISE.
  public static final int PADDED = 0x8;

  /// Flag of HEADERS.
  public static final int PRIORITY_FLAG = 0x20;

  /// The default and minimum value of SETTINGS_MAX_FRAME_SIZE.
  public static final int MIN_MAX_SIZE = 1 << 14;

  /// The maximum value of SETTINGS_MAX_FRAME_SIZE.
  public static final int MAX_MAX_SIZE = (1 << 24) - 1;

  private Frames() {}
}
