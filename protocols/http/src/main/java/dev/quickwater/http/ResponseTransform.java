package dev.quickwater.http;

/// Changes the final response of an exchange: compression, fields that every response has.
public interface ResponseTransform {

  /// The head to send in place of `head`. A transformation of the body that changes its length
  /// removes the length here.
  ResponseHead head(ResponseHead head);

  /// The body to write to in place of `next`. It must end `next` when it is ended. It is not called
  /// for responses without a body.
  default OutgoingBody body(OutgoingBody next) {
    return next;
  }
}
