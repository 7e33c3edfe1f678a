package io.skerry.format.message.dataset;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.filter.pipeline.FilterPipeline;
import io.skerry.filter.pipeline.SectionPipelines;
import io.skerry.format.block.Widths;
import io.skerry.format.message.Message;

/**
 * The filter pipelines of structured chunks (message 0x0019 version 1; also read from 0x000B
 * version 3).
 *
 * <pre>
 * 01 | filtered sections u8
 * | per section: section number u8 | filters u8 | list size u16 | list as in pipeline version 2
 * </pre>
 *
 * <p>Source: The HDF Group's RFC on the file format of structured chunks, version 28 (2025-10-09),
 * as implemented by the HDF5 branch {@code feature/sparse_data} (2026).
 *
 * @param pipelines the filters of each section; only sections with filters are stored
 */
public record SectionPipelineMessage(SectionPipelines pipelines) implements Message {
  /** Message type. */
  public static final int TYPE = 0x0019;

  /**
   * Returns the message for chunks with the given number of sections. Omits the pipelines of any
   * sections beyond that number.
   *
   * @param pipelines the filters of each section
   * @param sections the number of sections, 2 or 3
   */
  public static SectionPipelineMessage of(SectionPipelines pipelines, int sections) {
    SectionPipelines kept = pipelines;
    for (int i = sections; i < SectionPipelines.SECTIONS; i++) {
      kept = kept.with(i, FilterPipeline.none());
    }
    return new SectionPipelineMessage(kept);
  }

  public static SectionPipelineMessage decode(ByteReader in) {
    in.expect("section pipeline version", 1, in.u8());
    return decodeSections(in);
  }

  static SectionPipelineMessage decodeSections(ByteReader in) {
    int count = in.u8();
    if (count > SectionPipelines.SECTIONS) {
      throw in.fault("filtered sections", "at most " + SectionPipelines.SECTIONS, count);
    }
    SectionPipelines pipelines = SectionPipelines.none();
    for (int i = 0; i < count; i++) {
      int section = in.u8();
      if (section >= SectionPipelines.SECTIONS || !pipelines.of(section).isEmpty()) {
        throw in.fault("filtered section", "0 to 2, each once", section);
      }
      int filters = in.u8();
      ByteReader list = in.sub(in.u16(), "filters of section " + section);
      pipelines = pipelines.with(section, FilterLists.decode(list, filters));
      list.expect("bytes after the last filter", 0, list.remaining());
    }
    return new SectionPipelineMessage(pipelines);
  }

  @Override
  public int type() {
    return TYPE;
  }

  @Override
  public void encode(ByteWriter out, Widths widths) {
    long count = pipelines.bySection().stream().filter(p -> !p.isEmpty()).count();
    out.u8(1).u8((int) count);
    for (int i = 0; i < SectionPipelines.SECTIONS; i++) {
      FilterPipeline pipeline = pipelines.of(i);
      if (!pipeline.isEmpty()) {
        ByteWriter list = ByteWriter.create();
        FilterLists.encode(list, pipeline);
        out.u8(i).u8(pipeline.filters().size()).u16(list.position()).bytes(list.written());
      }
    }
  }
}
