package io.skerry.collective;

import io.skerry.cache.ChunkKey;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.collective.plan.Piece;
import io.skerry.collective.plan.PieceCodec;
import io.skerry.collective.plan.WritePlan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Moves the pieces of one round from the ranks that wrote them to the owners of their chunks. */
final class PieceExchange {
  private final Session session;

  PieceExchange(Session session) {
    this.session = session;
  }

  /**
   * Where and when a chunk's pieces go.
   *
   * @param rank the owner
   * @param round the round in which it takes them in
   */
  record Destination(int rank, int round) {
    Destination inRound(int other) {
      return new Destination(rank, other);
    }
  }

  /**
   * Collective, unless no rank sends anything to another, which all know.
   *
   * @param arena owns the memory of the returned pieces
   * @return the pieces for chunks owned here, by source rank, then chunk, then request
   */
  List<PieceCodec.Incoming> move(
      WritePlan plan,
      Map<ChunkKey, Destination> routes,
      int round,
      boolean shared,
      Arena arena,
      LocalStatus status) {
    int n = session.ranks().size();
    List<List<Piece>> outgoing = new ArrayList<>();
    for (int rank = 0; rank < n; rank++) {
      outgoing.add(new ArrayList<>());
    }
    plan.chunks()
        .forEach((key, chunk) -> {
          Destination destination = Objects.requireNonNull(routes.get(key));
          if (destination.round() == round) {
            outgoing.get(destination.rank()).addAll(chunk);
          }
        });
    long[] counts = new long[n];
    for (int rank = 0; rank < n; rank++) {
      counts[rank] = outgoing.get(rank).stream().mapToLong(PieceCodec::bytes).sum();
    }
    MemorySegment send = arena.allocate(Math.max(8, Exchange.total(counts)), 8);
    long[] starts = Exchange.starts(counts);
    for (int rank = 0; rank < n; rank++) {
      pack(outgoing.get(rank), send.asSlice(starts[rank], counts[rank]));
    }
    if (!shared) {
      return unpack(send, counts, status);
    }
    long[] receiveCounts = session.ranks().allToAll(counts);
    MemorySegment receive = arena.allocate(Math.max(8, Exchange.total(receiveCounts)), 8);
    session
        .ranks()
        .allToAllVariable(
            send, counts, starts, receive, receiveCounts, Exchange.starts(receiveCounts));
    return unpack(receive, receiveCounts, status);
  }

  private static void pack(List<Piece> pieces, MemorySegment out) {
    long at = 0;
    for (Piece piece : pieces) {
      long bytes = PieceCodec.bytes(piece);
      PieceCodec.encode(piece, out.asSlice(at, bytes));
      at += bytes;
    }
  }

  private List<PieceCodec.Incoming> unpack(
      MemorySegment received, long[] counts, LocalStatus status) {
    List<PieceCodec.Incoming> pieces = new ArrayList<>();
    long[] starts = Exchange.starts(counts);
    for (int rank = 0; rank < counts.length; rank++) {
      ByteReader in =
          ByteReader.of(received.asSlice(starts[rank], counts[rank]), "pieces from rank " + rank);
      status.attempt(() -> {
        while (in.remaining() > 0) {
          pieces.add(
              PieceCodec.decode(
                  in, id -> session.directory().dataset(id).format().datatype().size()));
        }
      });
    }
    return pieces;
  }
}
