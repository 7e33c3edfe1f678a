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
 * A format that forwards all operations to another format: a template for new formats, and a base
 * class for formats that change individual operations of another format, for example to count
 * calls. Default methods of the interface are forwarded too.
 */
public class PassThroughFormat implements ChunkFormat {
  private final ChunkFormat below;

  /**
   * Creates a format that forwards to another format.
   *
   * @param below the format that executes the operations
   */
  public PassThroughFormat(ChunkFormat below) {
    this.below = below;
  }

  /**
   * Wraps another format in a format of the same class as this one. {@link #withoutFilters} calls
   * this method to wrap the format of unfiltered chunks. A subclass overrides this method to return
   * an instance of its own class.
   */
  protected ChunkFormat above(ChunkFormat other) {
    return new PassThroughFormat(other);
  }

  /** Returns the format that executes the operations. */
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
  public long encodingBytes(MemoryChunk chunk) {
    return below.encodingBytes(chunk);
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
