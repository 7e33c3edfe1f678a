package io.skerry.iod.connector.tile;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.wire.Exchange;
import io.skerry.iod.connector.store.FileRanks;
import io.skerry.iod.connector.store.Step;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Sends the pieces of all ranks to the owners of their tiles, which merge them, in rounds. All
 * ranks send the pieces of a tile in the same round: each round ends at the lowest tile number up
 * to which any rank has encoded its pieces. Before a round, the ranks agree that none has failed,
 * and within it they exchange messages without an access to the container, so that no rank waits
 * for an I/O rank in the meantime. After the last round, they agree again before they store the
 * tiles that are kept in memory.
 */
final class TileExchange {
  /** The number of bytes that a rank receives in one round, unless a piece is larger. */
  private static final long LIMIT = 32 << 20;

  /** The minimum number of bytes that a rank sends in one round, if it has that many. */
  private static final long LEAST = 1 << 20;

  private static final String WHAT = "pieces of tiles";

  private final Tiles tiles;
  private final Step step;
  private final TileMerger merger;
  private final Iterator<ChunkSlice> slices;
  private final Function<ChunkSlice, TilePiece> maker;
  private final Deque<Encoded> encoded = new ArrayDeque<>();
  private long bytes;

  /** A piece that is ready to be sent. */
  private record Encoded(long number, int owner, MemorySegment message) {}

  private TileExchange(
      Tiles tiles,
      Step step,
      Iterator<ChunkSlice> slices,
      Function<ChunkSlice, TilePiece> maker,
      TileMerger merger) {
    this.tiles = tiles;
    this.step = step;
    this.slices = slices;
    this.maker = maker;
    this.merger = merger;
  }

  /**
   * Merges the pieces of all ranks. Collective, within a step.
   *
   * @param slices the slices of this rank, each in a different tile
   * @param maker creates the piece of a slice
   * @param merger merges the pieces of a tile that this rank owns, in the order of their ranks
   * @throws RuntimeException if the storage of this rank fails after the last round
   * @throws io.skerry.parallel.CollectiveException on all ranks if a rank fails earlier
   */
  static void run(
      Tiles tiles,
      Step step,
      List<ChunkSlice> slices,
      Function<ChunkSlice, TilePiece> maker,
      TileMerger merger) {
    NavigableMap<Long, ChunkSlice> ordered = new TreeMap<>();
    for (ChunkSlice slice : slices) {
      ordered.put(tiles.layout().numbers().number(slice.scaled()), slice);
    }
    new TileExchange(tiles, step, ordered.values().iterator(), maker, merger).rounds();
  }

  private FileRanks ranks() {
    return step.ranks();
  }

  private void rounds() {
    LocalStatus status = new LocalStatus();
    long end = 0;
    while (end < Long.MAX_VALUE) {
      long reached = status.attempt(this::encode, 0L);
      // The maximum of the negations is the negation of the minimum.
      end = -ranks().agree(status, -reached)[0];
      long last = end;
      Exchange.Outbox out = status.attempt(() -> taken(last), new Exchange.Outbox());
      Exchange.Inbox in = Exchange.deliver(ranks().communicator(), out, WHAT);
      NavigableMap<Long, List<TilePiece>> received =
          status.attempt(() -> decoded(in), new TreeMap<>());
      if (!tiles.layout().cells().isEmpty()) {
        step.store().reserve(blobs(received));
      }
      status.attempt(() -> {
        // No rank has failed to merge the tiles of the previous rounds.
        merger.storeIfMany();
        received.values().forEach(merger::merge);
      });
    }
    var unused = ranks().agree(status);
    merger.store();
  }

  /**
   * Encodes the next pieces, as far as the memory permits.
   *
   * @return the number of the last tile; 2^63-1 if there are no more
   */
  private long encode() {
    long most = Math.max(LEAST, LIMIT / ranks().communicator().size());
    while (slices.hasNext() && bytes < most) {
      TilePiece piece = maker.apply(slices.next());
      ByteWriter message = ByteWriter.create();
      piece.encode(message);
      var place = tiles.place(piece.scaled());
      encoded.add(new Encoded(place.number(), step.store().ownerOf(place), message.written()));
      bytes += message.position();
    }
    return slices.hasNext() ? encoded.getLast().number() : Long.MAX_VALUE;
  }

  /** Takes the pieces of tiles up to a number. */
  private Exchange.Outbox taken(long last) {
    Exchange.Outbox out = new Exchange.Outbox();
    while (!encoded.isEmpty() && encoded.element().number() <= last) {
      Encoded piece = encoded.remove();
      bytes -= piece.message().byteSize();
      out.to(piece.owner()).bytes(piece.message());
    }
    return out;
  }

  private NavigableMap<Long, List<TilePiece>> decoded(Exchange.Inbox in) {
    NavigableMap<Long, List<TilePiece>> pieces = new TreeMap<>();
    TileLayout layout = tiles.layout();
    for (ByteReader message : in) {
      while (message.remaining() > 0) {
        TilePiece piece =
            TilePiece.decode(message, layout.grid().sizes().length, layout.datatype());
        pieces
            .computeIfAbsent(layout.numbers().number(piece.scaled()), _ -> new ArrayList<>())
            .add(piece);
      }
    }
    return pieces;
  }

  private static long blobs(NavigableMap<Long, List<TilePiece>> pieces) {
    return pieces.values().stream().flatMap(List::stream).mapToLong(TilePiece::blobs).sum();
  }
}
