package io.skerry.chunk.format;

import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.SectionTable;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.bytes.Lookup3;
import io.skerry.exception.FormatException;
import io.skerry.filter.pipeline.FilterPipeline;
import io.skerry.filter.pipeline.SectionPipelines;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;

/**
 * The stored form of structured chunks of one dataset: consecutive sections, each with its own
 * filters, and a section table. Filters and joins the sections for writing, and reverses the
 * filters of one section at a time; the chunk formats interpret the content.
 *
 * @param count the number of sections
 * @param pipelines the filters of each section
 * @param records the content of index records; if the dataset has a filter for at least one
 *     section, this is {@link Records#FILTERED}, with unfiltered sizes and filter masks, even for
 *     chunks that are stored without filters
 */
record StructuredImage(int count, SectionPipelines pipelines, Records records) {
  private static final int CHECKSUM = 4;

  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** The content of index records. */
  enum Records {
    PLAIN,
    FILTERED
  }

  /** Returns the stored form of chunks in a dataset without filters. */
  static StructuredImage plain(int count) {
    return new StructuredImage(count, SectionPipelines.none(), Records.PLAIN);
  }

  StructuredImage withPipelines(SectionPipelines filters) {
    return new StructuredImage(
        count, filters, filters.isFiltered() ? Records.FILTERED : Records.PLAIN);
  }

  /**
   * Returns the form of chunks that are stored without filters in a dataset that may have filters.
   */
  StructuredImage withoutFilters() {
    return new StructuredImage(count, SectionPipelines.none(), records);
  }

  /**
   * Filters the sections and joins them. An empty section is not filtered.
   *
   * @param sections the sections before their filters, checksums included
   */
  ChunkImage assemble(List<MemorySegment> sections) {
    MemorySegment[] stored = new MemorySegment[count];
    long[] unfiltered = new long[count];
    int[] masks = new int[count];
    long[] offsets = new long[count - 1];
    long size = 0;
    for (int i = 0; i < count; i++) {
      MemorySegment section = sections.get(i);
      unfiltered[i] = section.byteSize();
      if (section.byteSize() == 0) {
        stored[i] = section;
      } else {
        FilterPipeline.Encoded encoded = pipelines.of(i).apply(section);
        stored[i] = encoded.bytes();
        masks[i] = encoded.mask();
      }
      if (i > 0) {
        offsets[i - 1] = size;
      }
      size += stored[i].byteSize();
    }
    MemorySegment image = HeapBytes.allocate(size);
    long at = 0;
    for (MemorySegment section : stored) {
      MemorySegment.copy(section, 0, image, at, section.byteSize());
      at += section.byteSize();
    }
    SectionTable table =
        switch (records) {
          case PLAIN -> new SectionTable(size, offsets, new long[0], new int[0]);
          case FILTERED -> new SectionTable(size, offsets, unfiltered, masks);
        };
    return new ChunkImage(image, table);
  }

  /**
   * Checks a section table against the properties of this dataset.
   *
   * @return the table
   * @throws FormatException if the number of sections, unfiltered sizes or masks is wrong, or if
   *     the sections are not in order within the image
   */
  SectionTable checked(SectionTable table) {
    if (table.sections() != count) {
      throw new FormatException("sections of a structured chunk", count, table.sections());
    }
    int sizes = table.unfilteredSizes().length;
    int masks = table.filterMasks().length;
    int expected =
        switch (records) {
          case PLAIN -> 0;
          case FILTERED -> count;
        };
    if (sizes != expected || masks != expected) {
      throw new FormatException(
          "unfiltered sizes and masks of a structured chunk",
          expected + " of each",
          sizes + " and " + masks);
    }
    return table.checked();
  }

  /**
   * Returns a section as stored in an image.
   *
   * @throws FormatException if the section table of the image does not match this dataset; see
   *     {@link #checked}
   */
  MemorySegment stored(ChunkImage image, int section) {
    SectionTable table = checked(image.sections());
    return image.bytes().asSlice(table.start(section), table.length(section));
  }

  /**
   * Reverses the filters of a section. If the section table records unfiltered sizes, verifies that
   * the result has the recorded size.
   *
   * @param stored the section as stored
   * @param limit the maximum size of the section before its filters, in bytes
   * @throws FormatException if a size is wrong or exceeds the limit, if the filters cannot be
   *     reversed, or if a section without filters has a filter mask
   * @throws io.skerry.exception.UnsupportedFeatureException if a filter that was applied is not
   *     installed, or cannot decode this variant of its format
   */
  MemorySegment unfiltered(int section, MemorySegment stored, SectionTable table, long limit) {
    long recorded = table.unfilteredSizes().length == 0 ? -1 : table.unfilteredSizes()[section];
    if (recorded > limit || (recorded < 0 && table.unfilteredSizes().length != 0)) {
      throw new FormatException("unfiltered size of section " + section, "0.." + limit, recorded);
    }
    FilterPipeline pipeline = pipelines.of(section);
    long most = recorded < 0 ? limit : recorded;
    int mask = table.filterMask(section);
    if (pipeline.isEmpty() && mask != 0) {
      throw new FormatException(
          "filter mask of section " + section + ", which has no filters", 0, mask);
    }
    boolean isUnchanged = pipeline.isEmpty() || stored.byteSize() == 0;
    MemorySegment bytes = isUnchanged ? stored : undo(pipeline, section, stored, mask, most);
    if (recorded >= 0 && bytes.byteSize() != recorded) {
      throw new FormatException(
          "unfiltered size of section " + section, recorded, bytes.byteSize());
    }
    if (bytes.byteSize() > limit) {
      throw new FormatException(
          "bytes of section " + section, "at most " + limit, bytes.byteSize());
    }
    return bytes;
  }

  private static MemorySegment undo(
      FilterPipeline pipeline, int section, MemorySegment stored, int mask, long most) {
    try {
      return pipeline.undo(stored, mask, most);
    } catch (FormatException e) {
      throw e.inPart("section " + section);
    }
  }

  /**
   * Reverses the filters of a section that ends with a checksum, verifies the checksum and removes
   * it. The parameters are those of {@link #unfiltered}; the limit includes the checksum.
   *
   * @throws FormatException in the same cases as {@link #unfiltered}, or if the section is shorter
   *     than a checksum, or if the checksum is wrong
   * @throws io.skerry.exception.UnsupportedFeatureException in the same cases as {@link
   *     #unfiltered}
   */
  MemorySegment verified(int section, MemorySegment stored, SectionTable table, long limit) {
    MemorySegment bytes = unfiltered(section, stored, table, limit);
    long length = bytes.byteSize() - CHECKSUM;
    if (length < 0) {
      throw new FormatException("bytes of section " + section, "at least 4", bytes.byteSize());
    }
    MemorySegment body = bytes.asSlice(0, length);
    int kept = bytes.get(U32, length);
    int computed = Lookup3.checksum(body);
    if (kept != computed) {
      throw new FormatException(
          "checksum of section " + section,
          Integer.toHexString(computed),
          Integer.toHexString(kept));
    }
    return body;
  }
}
