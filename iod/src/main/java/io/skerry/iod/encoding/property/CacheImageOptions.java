package io.skerry.iod.encoding.property;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;

/**
 * The initial settings of metadata cache images.
 *
 * <pre>
 * 04 | i32 version | u32 image switch | u32 resize status switch | i32 entry age
 * </pre>
 *
 * @param version the version of the settings
 * @param image whether an image is written when the file is closed
 * @param resizeStatus whether the image includes the state of cache resizing
 * @param entryAge the number of openings for which an unused entry stays in the image, or -1
 */
public record CacheImageOptions(int version, Switch image, Switch resizeStatus, int entryAge) {
  private static final int UNSIGNED_BYTES = 4;

  static final ValueCodec<CacheImageOptions> CODEC =
      ValueCodec.of(CacheImageOptions::decode, CacheImageOptions::encode);

  private static CacheImageOptions decode(ByteReader in) {
    Scalars.expectWidth(in, UNSIGNED_BYTES);
    return new CacheImageOptions(
        in.i32(), Scalars.wideSwitch(in), Scalars.wideSwitch(in), in.i32());
  }

  private static void encode(CacheImageOptions options, ByteWriter out) {
    out.u8(UNSIGNED_BYTES).u32(options.version);
    out.u32(options.image.ordinal()).u32(options.resizeStatus.ordinal()).u32(options.entryAge);
  }
}
