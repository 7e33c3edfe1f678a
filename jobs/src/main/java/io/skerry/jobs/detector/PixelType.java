package io.skerry.jobs.detector;

/** The type of a pixel in memory: signed or unsigned integer or IEEE float, native byte order. */
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

  /** Returns the size of one pixel in bytes. */
  public int bytes() {
    return bytes;
  }
}
