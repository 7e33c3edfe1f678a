package io.skerry.chunk.format;

import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.SectionTable;
import io.skerry.chunk.content.ContentPacking;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkRows;
import io.skerry.datatype.Datatype;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Does nothing itself and hands everything to another format: where a new format starts, and what
 * one extends that changes a step of another, such as to count or to watch. Every operation is
 * here, those with a default too, so that none of the other format's is lost.
 */
public class PassThroughFormat implements ChunkFormat {
  private final ChunkFormat below;

  /**
   * Above another format.
   *
   * @param below does the work
   */
  public PassThroughFormat(ChunkFormat below) {
    this.below = below;
  }

  /**
   * The same above another format, which chunks are asked for that are stored otherwise; one that
   * extends this makes one of its own kind.
   */
  protected ChunkFormat above(ChunkFormat other) {
    return new PassThroughFormat(other);
  }

  /** The format that does the work. */
  protected final ChunkFormat below() {
    return below;
  }

  @Override
  public long[] chunkShape() {
    return below.chunkShape();
  }

  @Override
  public long elements() {
    return below.elements();
  }

  @Override
  public Datatype datatype() {
    return below.datatype();
  }

  @Override
  public Definedness definedness() {
    return below.definedness();
  }

  @Override
  public EncodedSize encodedSize() {
    return below.encodedSize();
  }

  @Override
  public Optional<ContentPacking> contentPacking() {
    return below.contentPacking();
  }

  @Override
  public ChunkFormat withoutFilters() {
    return above(below.withoutFilters());
  }

  @Override
  public OptionalLong storedAt(long element) {
    return below.storedAt(element);
  }

  @Override
  public MemoryChunk newChunk() {
    return below.newChunk();
  }

  @Override
  public MemoryChunk decode(ChunkImage image) {
    return below.decode(image);
  }

  @Override
  public RunSet decodeDefined(ChunkImage image) {
    return below.decodeDefined(image);
  }

  @Override
  public Optional<StoredLocations> locations(MemorySegment stored, SectionTable table) {
    return below.locations(stored, table);
  }

  @Override
  public Optional<ChunkImage> encode(MemoryChunk chunk) {
    return below.encode(chunk);
  }

  @Override
  public Optional<ChunkImage> encodeWritten(RunSet elements, MemorySegment packed) {
    return below.encodeWritten(elements, packed);
  }

  @Override
  public MemoryChunk write(MemoryChunk base, RunSet elements, MemorySegment packed) {
    return below.write(base, elements, packed);
  }

  @Override
  public void read(MemoryChunk chunk, RunSet elements, MemorySegment packed) {
    below.read(chunk, elements, packed);
  }

  @Override
  public void readRows(MemoryChunk chunk, ChunkRows rows, MemorySegment block) {
    below.readRows(chunk, rows, block);
  }

  @Override
  public MemorySegment readPacked(MemoryChunk chunk, RunSet elements, SegmentAllocator memory) {
    return below.readPacked(chunk, elements, memory);
  }

  @Override
  public MemorySegment readStored(ChunkImage image, RunSet elements, SegmentAllocator memory) {
    return below.readStored(image, elements, memory);
  }

  @Override
  public RunSet defined(MemoryChunk chunk, RunSet elements) {
    return below.defined(chunk, elements);
  }

  @Override
  public MemoryChunk erase(MemoryChunk base, RunSet elements) {
    return below.erase(base, elements);
  }

  @Override
  public MemoryChunk clip(MemoryChunk base, long[] valid) {
    return below.clip(base, valid);
  }

  @Override
  public String toString() {
    return "pass-through of " + below;
  }
}
