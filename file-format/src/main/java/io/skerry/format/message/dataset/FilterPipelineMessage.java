package io.skerry.format.message.dataset;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.filter.pipeline.FilterPipeline;
import io.skerry.format.block.Widths;
import io.skerry.format.message.Message;

/**
 * The filter pipeline message (0x000B) of dense chunks. Reads versions 1 and 2. Writes version 2
 * or, in object headers of version 1, version 1. Version 3 is decoded as a {@link
 * SectionPipelineMessage}. Source: HDF5 File Format Specification 3.0, section IV.A.2.l, "The Data
 * Storage - Filter Pipeline Message".
 *
 * <pre>
 * v1: 01 | filters u8 | reserved 6 | per filter: id u16 | name size u16 | flags u16 | n u16
 *     | name, NUL, padded to a multiple of 8 | n x u32 | 4 zeros if n is odd
 * v2: 02 | filters u8 | per filter: id u16 [| name size u16 if id >= 256] | flags u16 | n u16
 *     [| name, NUL] | n x u32
 * </pre>
 *
 * @param pipeline the filters in the order in which they are applied on write
 */
public record FilterPipelineMessage(FilterPipeline pipeline) implements Message {
  /** Message type. */
  public static final int TYPE = 0x000B;

  /** Decodes a body; returns a {@link SectionPipelineMessage} for version 3. */
  public static Message decode(ByteReader in) {
    int version = in.u8();
    return switch (version) {
      case 1 -> {
        int count = in.u8();
        in.skip(6);
        yield new FilterPipelineMessage(FilterLists.decodePadded(in, count));
      }
      case 2 -> new FilterPipelineMessage(FilterLists.decode(in, in.u8()));
      case 3 -> SectionPipelineMessage.decodeSections(in);
      default -> throw in.fault("filter pipeline version", "1 to 3", version);
    };
  }

  @Override
  public int type() {
    return TYPE;
  }

  @Override
  public void encode(ByteWriter out, Widths widths) {
    out.u8(2).u8(pipeline.filters().size());
    FilterLists.encode(out, pipeline);
  }

  @Override
  public void encodeEarliest(ByteWriter out, Widths widths) {
    out.u8(1).u8(pipeline.filters().size()).zeros(6);
    FilterLists.encodePadded(out, pipeline);
  }
}
