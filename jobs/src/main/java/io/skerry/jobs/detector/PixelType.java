package io.skerry.jobs.detector;

/** Number types a pixel comes in, in the byte order of this machine. */
public enum PixelType {
  I8(1),
  U8(1),
  I16(2),
  U16(2),
  I32(4),
  U32(4),
  I64(8),
  U64(8),
  F32(4),
  F64(8);

  private final int bytes;

  PixelType(int bytes) {
    this.bytes = bytes;
  }

  /** Bytes of one pixel. */
  public int bytes() {
    return bytes;
  }
}
