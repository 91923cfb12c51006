package dev.quickwater.http;

/// Changes the final response of an exchange, for example to compress it or to add fields.
public interface ResponseTransform {

  /// The head to send in place of `head`. A transformation that changes the length of the body
  /// removes the length here.
  ResponseHead head(ResponseHead head);

  /// The body to write to in place of `next`. It must end `next` when it is ended. It is not called
  /// for responses without a body.
  default OutgoingBody body(OutgoingBody next) {
    return next;
  }
}
