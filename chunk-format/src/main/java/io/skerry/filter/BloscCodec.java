package io.skerry.filter;

/** The compressors that a Blosc container may be written with, in the order of their codes. */
public enum BloscCodec {
  LZ4(1),
  SNAPPY(3),
  ZLIB(4),
  ZSTD(5);

  private final int code;

  BloscCodec(int code) {
    this.code = code;
  }

  /** The number that client data 6 holds. */
  public int code() {
    return code;
  }
}
