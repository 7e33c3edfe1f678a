package io.skerry.collective;

import io.skerry.cache.ChunkKey;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.Leases;
import io.skerry.collective.plan.Piece;
import io.skerry.collective.plan.PieceCodec;
import io.skerry.collective.plan.WritePlan;
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

  /** Whether any rank has pieces for another; all ranks know. */
  enum Traffic {
    /** Some do: all take part in an exchange. */
    AMONG_RANKS,
    /** Every piece stays on its rank. */
    NONE
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
   * @param leases own the memory of the returned pieces
   * @return the pieces for chunks owned here, by source rank, then chunk, then request
   */
  List<PieceCodec.Incoming> move(
      WritePlan plan,
      Map<ChunkKey, Destination> routes,
      int round,
      Traffic traffic,
      Leases leases,
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
    long[] packed = new long[n];
    for (int rank = 0; rank < n; rank++) {
      packed[rank] = outgoing.get(rank).stream().mapToLong(PieceCodec::bytes).sum();
    }
    MemorySegment send = status.attempt(() -> pack(outgoing, packed, leases), MemorySegment.NULL);
    long[] starts = Exchange.starts(packed);
    // A rank that failed takes part without bytes; what it keeps for itself does not travel.
    long[] counts = status.isGood() ? packed.clone() : new long[n];
    int me = session.ranks().rank();
    counts[me] = 0;
    MemorySegment own = status.isGood() ? send.asSlice(starts[me], packed[me]) : MemorySegment.NULL;
    if (traffic == Traffic.NONE) {
      return unpack(MemorySegment.NULL, new long[n], own, status);
    }
    long[] receiveCounts = session.ranks().allToAll(counts);
    MemorySegment receive = leases.take(Exchange.total(receiveCounts));
    session
        .ranks()
        .allToAllVariable(
            send,
            counts,
            status.isGood() ? starts : new long[n],
            receive,
            receiveCounts,
            Exchange.starts(receiveCounts));
    return unpack(receive, receiveCounts, own, status);
  }

  private static MemorySegment pack(List<List<Piece>> outgoing, long[] bytes, Leases leases) {
    MemorySegment send = leases.take(Exchange.total(bytes));
    long[] starts = Exchange.starts(bytes);
    for (int rank = 0; rank < bytes.length; rank++) {
      pack(outgoing.get(rank), send.asSlice(starts[rank], bytes[rank]));
    }
    return send;
  }

  private static void pack(List<Piece> pieces, MemorySegment out) {
    long at = 0;
    for (Piece piece : pieces) {
      long bytes = PieceCodec.bytes(piece);
      PieceCodec.encode(piece, out.asSlice(at, bytes));
      at += bytes;
    }
  }

  /** Pieces by source rank, this rank's own among them at its place. */
  private List<PieceCodec.Incoming> unpack(
      MemorySegment received, long[] counts, MemorySegment own, LocalStatus status) {
    List<PieceCodec.Incoming> pieces = new ArrayList<>();
    long[] starts = Exchange.starts(counts);
    for (int rank = 0; rank < counts.length; rank++) {
      MemorySegment letter =
          rank == session.ranks().rank() ? own : received.asSlice(starts[rank], counts[rank]);
      ByteReader in = ByteReader.of(letter, "pieces from rank " + rank);
      status.attempt(() -> {
        while (in.remaining() > 0) {
          pieces.add(PieceCodec.decode(in));
        }
      });
    }
    return pieces;
  }
}
