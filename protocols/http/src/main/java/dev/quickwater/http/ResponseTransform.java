package dev.quickwater.http;

/// Changes the final response of an exchange, for example to compress it or to add fields.
public interface ResponseTransform {

  /// The head to send in place of `head`. A transformation that changes the length of the body
  /// removes the length here.
  ResponseHead head(ResponseHead head);

  /// The body that the handler writes to in place of `next`. When it is ended, it must end `next`.
  /// Not called for responses without a body.
  default OutgoingBody body(OutgoingBody next) {
    return next;
  }
}
