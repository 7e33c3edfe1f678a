package io.skerry.iod.encoding.property;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.iod.encoding.EncodedDataspace;
import io.skerry.selection.SelectionEncoding;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * Encodes and decodes the layout of a dataset.
 *
 * <pre>
 * compact      00
 * contiguous   01
 * chunked      02 | u8 rank | u32 size, each
 * virtual      03 | u64 number | (file, 00, dataset, 00, source, virtual selection) each
 * </pre>
 *
 * <p>The selections are encoded dataspaces. They are written in the versions that HDF5 1.10 reads.
 */
final class LayoutCodec {
  private static final int COMPACT = 0;
  private static final int CONTIGUOUS = 1;
  private static final int CHUNKED = 2;
  private static final int VIRTUAL = 3;

  static final ValueCodec<StorageLayout> CODEC =
      ValueCodec.of(LayoutCodec::decode, LayoutCodec::encode);

  private LayoutCodec() {}

  private static StorageLayout decode(ByteReader in) {
    int kind = in.u8();
    return switch (kind) {
      case COMPACT -> new StorageLayout.Compact();
      case CONTIGUOUS -> new StorageLayout.Contiguous();
      case CHUNKED -> chunked(in);
      case VIRTUAL -> virtual(in);
      default -> throw in.fault("layout", "0..3", kind);
    };
  }

  private static StorageLayout.Chunked chunked(ByteReader in) {
    int rank = in.u8();
    if (rank > Shape.MAX_RANK) {
      throw in.fault("rank of a chunk", "at most " + Shape.MAX_RANK, rank);
    }
    List<Long> shape = new ArrayList<>();
    for (int d = 0; d < rank; d++) {
      long size = in.u32();
      if (size == 0) {
        throw in.fault("chunk size of dimension " + d, "at least 1", size);
      }
      shape.add(size);
    }
    return new StorageLayout.Chunked(shape);
  }

  private static StorageLayout.Virtual virtual(ByteReader in) {
    long number = in.u63("mappings");
    List<StorageLayout.Mapping> mappings = new ArrayList<>();
    // The list grows with the bytes that are read, so a damaged number cannot exhaust memory.
    for (long i = 0; i < number; i++) {
      mappings.add(
          new StorageLayout.Mapping(
              in.textToNul(),
              in.textToNul(),
              EncodedDataspace.decodePart(in),
              EncodedDataspace.decodePart(in)));
    }
    return new StorageLayout.Virtual(mappings);
  }

  private static void encode(StorageLayout layout, ByteWriter out) {
    switch (layout) {
      case StorageLayout.Compact _ -> out.u8(COMPACT);
      case StorageLayout.Contiguous _ -> out.u8(CONTIGUOUS);
      case StorageLayout.Chunked(List<Long> shape) -> {
        out.u8(CHUNKED).u8(shape.size());
        shape.forEach(out::u32);
      }
      case StorageLayout.Virtual(List<StorageLayout.Mapping> mappings) -> {
        out.u8(VIRTUAL).u64(mappings.size());
        for (StorageLayout.Mapping mapping : mappings) {
          Scalars.terminated(mapping.file(), out);
          Scalars.terminated(mapping.dataset(), out);
          mapping.source().encodePart(SelectionEncoding.LIBRARY_EARLIEST, out);
          mapping.virtual().encodePart(SelectionEncoding.LIBRARY_EARLIEST, out);
        }
      }
    }
  }
}
