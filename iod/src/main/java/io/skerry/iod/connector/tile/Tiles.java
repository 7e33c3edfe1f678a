package io.skerry.iod.connector.tile;

import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.exception.FormatException;
import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Place;
import io.skerry.iod.object.ArrayObject;
import io.skerry.iod.object.ArrayWriter;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.ValueBuffer;
import io.skerry.iod.object.ValueChanges;
import io.skerry.iod.object.Values;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * The stored tiles of a dataset. Methods are local and throw the exceptions of {@link Values}. A
 * damaged tile causes a {@link FormatException} that names the dataset and the tile.
 *
 * @param layout the layout of the dataset
 * @param array the identifier of the array
 * @param values the values of the container
 */
public record Tiles(TileLayout layout, ObjectId array, Values values) {
  private static final SegmentAllocator HEAP = (bytes, _) -> HeapBytes.allocate(bytes);

  /** Receives the tiles of a dataset. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * Receives a tile.
     *
     * @param scaled the coordinates of the tile in the grid
     * @param size the size of the stored tile in bytes
     */
    void visit(long[] scaled, long size);
  }

  private ArrayObject object() {
    return new ArrayObject(array, values);
  }

  /** Returns the place of a tile. */
  Place.Tile place(long[] scaled) {
    return new Place.Tile(array.bits(), layout.numbers().number(scaled));
  }

  /** Returns a stored tile; empty if there is none. */
  Optional<TileImages.Decoded> find(long[] scaled, SegmentAllocator memory) {
    return object()
        .get(layout.numbers().number(scaled), memory)
        .map(stored -> located(scaled, stored, (tile, _) -> tile));
  }

  /** Returns the image of a stored tile; empty if there is none. */
  public Optional<ChunkImage> image(long[] scaled) {
    return find(scaled, HEAP).map(TileImages.Decoded::image);
  }

  /** Returns the transaction that stored a tile; empty if there is none. */
  OptionalLong transaction(long[] scaled) {
    return object().transaction(layout.numbers().number(scaled));
  }

  /** Returns the size of a stored tile in bytes; empty if there is none. */
  public OptionalLong size(long[] scaled) {
    return object().size(layout.numbers().number(scaled));
  }

  /**
   * Decodes a stored tile, unless there is none.
   *
   * @param decoder decodes the image, whose memory it must not keep
   */
  <T> Optional<T> decoded(long[] scaled, BiFunction<ChunkFormat, ChunkImage, T> decoder) {
    try (Reading reading = read(scaled)) {
      return reading.decoded(decoder);
    }
  }

  /** Starts to read a tile; several reads from other ranks overlap. */
  Reading read(long[] scaled) {
    TileMemory.Use memory = layout.memory().use();
    boolean isStarted = false;
    try {
      var begun =
          object().getLater(layout.numbers().number(scaled), (bytes, _) -> memory.allocate(bytes));
      isStarted = true;
      return new Reading(this, scaled, memory, begun);
    } finally {
      if (!isStarted) {
        memory.close();
      }
    }
  }

  /** A read of a tile, which only the thread that started it may use. */
  static final class Reading implements AutoCloseable {
    private final Tiles tiles;
    private final long[] scaled;
    private final TileMemory.Use memory;
    private final Supplier<Optional<MemorySegment>> begun;
    private boolean isAwaited;

    private Reading(
        Tiles tiles,
        long[] scaled,
        TileMemory.Use memory,
        Supplier<Optional<MemorySegment>> begun) {
      this.tiles = tiles;
      this.scaled = scaled;
      this.memory = memory;
      this.begun = begun;
    }

    /**
     * Waits for the tile and decodes it, unless there is none. May be called only once.
     *
     * @param decoder decodes the image, whose memory it must not keep
     */
    <T> Optional<T> decoded(BiFunction<ChunkFormat, ChunkImage, T> decoder) {
      return awaited()
          .map(stored ->
              tiles.located(
                  scaled,
                  stored,
                  (tile, _) -> decoder.apply(tiles.layout.format(tile.filtering()), tile.image())));
    }

    private Optional<MemorySegment> awaited() {
      isAwaited = true;
      return memory.using(begun);
    }

    /**
     * Waits for the tile if it has not been awaited, because it is received into the memory of this
     * read. If the transport still uses the memory after a failure, the memory is never released.
     */
    @Override
    public void close() {
      try (memory) {
        if (!isAwaited) {
          var unused = awaited();
        }
      } catch (RuntimeException _) {
        // Only the failure of an earlier read is reported.
      }
    }
  }

  private <T> T located(
      long[] scaled, MemorySegment stored, BiFunction<TileImages.Decoded, long[], T> step) {
    try {
      return step.apply(layout.images().decode(stored), scaled);
    } catch (FormatException e) {
      throw e.inObject(array + " tile " + Arrays.toString(scaled)).inFile(values.container());
    }
  }

  /** Returns a tile in memory; a new one if it is not stored. */
  MemoryChunk chunk(long[] scaled) {
    return decoded(scaled, ChunkFormat::decode).orElseGet(layout.format()::newChunk);
  }

  /** Visits all stored tiles in the order of their numbers; the visitor may remove them. */
  public void forEach(Visitor visitor) {
    Page<ArrayObject.Tile> page = object().tiles(OptionalLong.empty(), PageLimit.DEFAULT);
    visit(page, visitor);
    while (!page.isLast()) {
      page = object().tiles(OptionalLong.of(page.items().getLast().number()), PageLimit.DEFAULT);
      visit(page, visitor);
    }
  }

  private void visit(Page<ArrayObject.Tile> page, Visitor visitor) {
    for (ArrayObject.Tile tile : page.items()) {
      long[] scaled;
      try {
        scaled = layout.numbers().scaled(tile.number());
      } catch (FormatException e) {
        throw e.inObject(array.toString()).inFile(values.container());
      }
      visitor.visit(scaled, tile.size());
    }
  }

  /**
   * Stores a tile, or removes it if no element is stored.
   *
   * @param changes the changes to which the tile is added
   * @param extent the extent within which it is stored
   * @param image the image, encoded with the format that {@link TileLayout#filtering} gives
   */
  void put(ValueChanges changes, long[] scaled, Shape extent, Optional<ChunkImage> image) {
    long number = layout.numbers().number(scaled);
    ArrayWriter writer = new ArrayWriter(array, changes);
    if (image.isEmpty()) {
      writer.remove(number);
      return;
    }
    ChunkImage tile = image.get();
    MemorySegment header =
        layout.images().header(tile.sections(), layout.filtering(scaled, extent));
    try (TileMemory.Use memory = layout.memory().use()) {
      long size = tile.bytes().byteSize();
      ValueBuffer buffer =
          ValueBuffer.allocate(header.byteSize() + size, (bytes, _) -> memory.allocate(bytes));
      MemorySegment.copy(header, 0, buffer.bytes(), 0, header.byteSize());
      MemorySegment.copy(tile.bytes(), 0, buffer.bytes(), header.byteSize(), size);
      memory.using(() -> writer.put(number, buffer));
    }
  }
}
