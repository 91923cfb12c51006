package dev.quickwater.http2;

/// The numbers of the frame layer (RFC 9113 sections 4.1 and 6).
final class Frames {

  static final int HEADER = 9;

  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int PRIORITY = 2;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PUSH_PROMISE = 5;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;

  /// RFC 9218 section 7.1.
  static final int PRIORITY_UPDATE = 0x10;

  static final int ACK = 0x1;
  static final int END_STREAM = 0x1;
  static final int END_HEADERS = 0x4;
  static final int PADDED = 0x8;
  static final int PRIORITY_FLAG = 0x20;

  /// The default and least value of SETTINGS_MAX_FRAME_SIZE.
  static final int MIN_MAX_SIZE = 1 << 14;

  /// The greatest value of SETTINGS_MAX_FRAME_SIZE.
  static final int MAX_MAX_SIZE = (1 << 24) - 1;

  private Frames() {}
}
