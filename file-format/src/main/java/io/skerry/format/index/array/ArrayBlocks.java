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
 * What the blocks of both arrays share: they begin with {@code signature | version u8 | client id
 * u8}, all but the headers go on with the address of the header, and all end in a checksum.
 *
 * @param records the elements
 * @param widths of the file
 * @param version of the block headers: 0 for dense chunks, 1 for structured ones; both are read
 */
public record ArrayBlocks(RecordFormat records, Widths widths, int version) {
  static final int CHECKSUM = 4;

  /** Bytes before the content of a block that names its header. */
  int startSize() {
    return 6 + widths.offset();
  }

  /** A new array: the version that this library writes for such records. */
  public static ArrayBlocks create(RecordFormat records, Widths widths) {
    return new ArrayBlocks(records, widths, records.clientId() >= 2 ? 1 : 0);
  }

  /** Reads a block and hands on what stands before its checksum, which is verified. */
  static <T> T load(ByteSource source, Block block, String what, Function<ByteReader, T> decode) {
    try {
      MemorySegment body = Checksums.verified(source.read(block.address(), block.length()), what);
      return decode.apply(ByteReader.of(body, what));
    } catch (FormatException e) {
      throw e.inFile(source.name()).atAddress(block.address());
    }
  }

  /** Signature, version and client id. */
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

  /** Start of a block that names its header. */
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

  /** A page: elements and checksum. */
  List<Optional<ChunkRecord>> readPage(MemorySegment page, int count, String what) {
    return readElements(ByteReader.of(Checksums.verified(page, what), what), count);
  }

  MemorySegment page(List<Optional<ChunkRecord>> elements) {
    ByteWriter out = ByteWriter.create();
    writeElements(out, elements);
    return out.checksumFrom(0).written();
  }
}
