package dev.quickwater.http2;

import dev.quickwater.http.ResetCode;

/// The error codes of HTTP/2. RFC 9113 section 7 describes each one.
public enum ErrorCode {
  NO_ERROR(0x0, ResetCode.NO_ERROR),
  PROTOCOL_ERROR(0x1, ResetCode.PROTOCOL_ERROR),
  INTERNAL_ERROR(0x2, ResetCode.INTERNAL_ERROR),
  FLOW_CONTROL_ERROR(0x3, ResetCode.FLOW_CONTROL_ERROR),
  SETTINGS_TIMEOUT(0x4, ResetCode.OTHER),
  STREAM_CLOSED(0x5, ResetCode.OTHER),
  FRAME_SIZE_ERROR(0x6, ResetCode.OTHER),
  REFUSED_STREAM(0x7, ResetCode.REFUSED),
  CANCEL(0x8, ResetCode.CANCEL),
  COMPRESSION_ERROR(0x9, ResetCode.OTHER),
  CONNECT_ERROR(0xa, ResetCode.CONNECT_ERROR),
  ENHANCE_YOUR_CALM(0xb, ResetCode.ENHANCE_YOUR_CALM),
  INADEQUATE_SECURITY(0xc, ResetCode.INADEQUATE_SECURITY),
  HTTP_1_1_REQUIRED(0xd, ResetCode.HTTP_1_1_REQUIRED);

  /// By number.
  private static final ErrorCode[] ALL = values();

  private final int number;
  private final ResetCode resetCode;

  ErrorCode(int number, ResetCode resetCode) {
    this.number = number;
    this.resetCode = resetCode;
  }

  /// The number in a frame, 0x0 to 0xd.
  public int number() {
    return number;
  }

  /// The code that exchanges report.
  ResetCode resetCode() {
    return resetCode;
  }

  /// The code of a number; unknown numbers count as INTERNAL_ERROR (section 7).
  public static ErrorCode of(int number) {
    return number >= 0 && number < ALL.length ? ALL[number] : INTERNAL_ERROR;
  }

  /// The code with which an exchange is reset.
  static ErrorCode of(ResetCode code) {
    return switch (code) {
      case NO_ERROR -> NO_ERROR;
      case CANCEL, OTHER -> CANCEL;
      case REFUSED -> REFUSED_STREAM;
      case INTERNAL_ERROR -> INTERNAL_ERROR;
      case PROTOCOL_ERROR -> PROTOCOL_ERROR;
      case FLOW_CONTROL_ERROR -> FLOW_CONTROL_ERROR;
      case CONNECT_ERROR -> CONNECT_ERROR;
      case ENHANCE_YOUR_CALM -> ENHANCE_YOUR_CALM;
      case INADEQUATE_SECURITY -> INADEQUATE_SECURITY;
      case HTTP_1_1_REQUIRED -> HTTP_1_1_REQUIRED;
    };
  }
}
