/// Support for decoders and encoders of protocols, and the verifier that tests them.
module dev.quickwater.codec {
  requires transitive dev.quickwater.buffer;
  requires static transitive org.jspecify;

  exports dev.quickwater.codec;
  exports dev.quickwater.codec.verify;
}
