package io.skerry.format.index.array;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.format.block.Block;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Checksums;
import io.skerry.format.block.Widths;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.format.index.api.RecordFormat;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Encodes and decodes the parts that the blocks of both array indexes have in common. Every block
 * begins with {@code signature | version u8 | client id u8} and ends with a checksum. In every
 * block except the header, the address of the header follows the client ID.
 *
 * @param records the encoding of the elements
 * @param widths the sizes of offsets and lengths in the file
 * @param version the version of the blocks to write: 0 for dense chunks; for structured chunks 1,
 *     or 0 if the stored header has version 0. When structured chunks are read, blocks of either
 *     version are accepted.
 */
public record ArrayBlocks(RecordFormat records, Widths widths, int version) {
  static final int CHECKSUM = 4;

  /** Returns the size in bytes of the fields at the start of every block except the header. */
  int startSize() {
    return 6 + widths.offset();
  }

  /**
   * Creates the codec for the blocks of a new array, in the version that this library writes for
   * the given records.
   */
  public static ArrayBlocks create(RecordFormat records, Widths widths) {
    return new ArrayBlocks(records, widths, records.clientId() >= 2 ? 1 : 0);
  }

  /** Reads a block, verifies its checksum and decodes the bytes before the checksum. */
  static <T> T load(ByteSource source, Block block, String what, Function<ByteReader, T> decode) {
    try {
      MemorySegment body = Checksums.verified(source.read(block.address(), block.length()), what);
      return decode.apply(ByteReader.of(body, what));
    } catch (FormatException e) {
      throw e.inFile(source.name()).atAddress(block.address());
    }
  }

  /** Reads and checks the signature, version and client ID. */
  static ArrayBlocks readStart(
      ByteReader in, String signature, RecordFormat records, Widths widths) {
    in.expectSignature(signature);
    int version = in.u8();
    int newest = records.clientId() >= 2 ? 1 : 0;
    if (version > newest) {
      throw in.fault("version", newest == 0 ? "0" : "0 or 1", version);
    }
    in.expect("client id", records.clientId(), in.u8());
    return new ArrayBlocks(records, widths, version);
  }

  /** Reads the start of a block and checks that it contains the given address of the header. */
  void readStart(ByteReader in, String signature, long header) {
    readStart(in, signature, records, widths);
    long named = widths.readAddress(in, "address of the header");
    if (named != header) {
      throw in.fault(
          "address of the header", "0x" + Long.toHexString(header), "0x" + Long.toHexString(named));
    }
  }

  void writeStart(ByteWriter out, String signature, long header) {
    out.text(signature).u8(version).u8(records.clientId());
    widths.writeAddress(out, header);
  }

  void writeHeaderStart(ByteWriter out, String signature) {
    out.text(signature).u8(version).u8(records.clientId()).u8(records.size());
  }

  List<Optional<ChunkRecord>> readElements(ByteReader in, int count) {
    List<Optional<ChunkRecord>> elements = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      elements.add(records.decode(in));
    }
    return elements;
  }

  void checkSlots(int slots, List<Optional<ChunkRecord>> elements) {
    if (elements.size() != slots) {
      throw new IllegalArgumentException(
          "records of a leaf: slots=" + slots + " actual=" + elements.size());
    }
  }

  void writeElements(ByteWriter out, List<Optional<ChunkRecord>> elements) {
    for (Optional<ChunkRecord> element : elements) {
      records.encode(out, element);
    }
  }

  /** Verifies the checksum of a page and decodes its elements. */
  List<Optional<ChunkRecord>> readPage(MemorySegment page, int count, String what) {
    return readElements(ByteReader.of(Checksums.verified(page, what), what), count);
  }

  MemorySegment page(List<Optional<ChunkRecord>> elements) {
    ByteWriter out = ByteWriter.create();
    writeElements(out, elements);
    return out.checksumFrom(0).written();
  }
}
