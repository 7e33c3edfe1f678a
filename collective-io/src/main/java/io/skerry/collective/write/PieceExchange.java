package io.skerry.collective.write;

import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.Leases;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.plan.Piece;
import io.skerry.collective.plan.PieceCodec;
import io.skerry.collective.plan.WritePlan;
import io.skerry.collective.step.LocalStatus;
import io.skerry.mpi.Request;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** Moves the pieces of one round from the ranks that wrote them to the owners of their chunks. */
final class PieceExchange {
  private static final int TAG = 7002;

  private final FileContext session;

  PieceExchange(FileContext session) {
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
   * Collective, unless no rank sends anything to another, which all know. Owners know what comes,
   * and from whom, so ranks without business do not meet.
   *
   * @param expected bytes that come for chunks owned here, by source rank
   * @param leases own the memory of the returned pieces
   * @return the pieces for chunks owned here, by source rank, then chunk, then request
   */
  List<PieceCodec.Incoming> move(
      WritePlan plan,
      Map<ChunkKey, Destination> routes,
      int round,
      SortedMap<Integer, Long> expected,
      Traffic traffic,
      Leases leases,
      LocalStatus status) {
    SortedMap<Integer, List<Piece>> outgoing = new TreeMap<>();
    plan.chunks()
        .forEach((key, chunk) -> {
          Destination destination = Objects.requireNonNull(routes.get(key));
          if (destination.round() == round) {
            outgoing.computeIfAbsent(destination.rank(), _ -> new ArrayList<>()).addAll(chunk);
          }
        });
    SortedMap<Integer, MemorySegment> parcels = new TreeMap<>();
    SortedMap<Integer, MemorySegment> arrivals = new TreeMap<>();
    status.attempt(() -> {
      outgoing.forEach((rank, pieces) -> parcels.put(rank, pack(pieces, leases)));
      expected.forEach((rank, bytes) ->
          arrivals.put(
              rank, isMe(rank) ? Objects.requireNonNull(parcels.get(rank)) : leases.take(bytes)));
    });
    if (traffic == Traffic.AMONG_RANKS) {
      // Who has no memory for what comes must not leave the others waiting.
      session.outcome().agree(status);
      transfer(parcels, arrivals);
    }
    return unpack(arrivals, status);
  }

  private boolean isMe(int rank) {
    return rank == session.ranks().rank();
  }

  private void transfer(
      SortedMap<Integer, MemorySegment> parcels, SortedMap<Integer, MemorySegment> arrivals) {
    List<Request> transfers = new ArrayList<>();
    arrivals.forEach((rank, place) -> {
      if (!isMe(rank)) {
        transfers.add(session.ranks().receiveLater(place, rank, TAG));
      }
    });
    parcels.forEach((rank, parcel) -> {
      if (!isMe(rank)) {
        session.meter().moves(parcel.byteSize());
        transfers.add(session.ranks().sendLater(parcel, rank, TAG));
      }
    });
    Request.awaitAll(transfers);
  }

  private static MemorySegment pack(List<Piece> pieces, Leases leases) {
    MemorySegment parcel = leases.take(pieces.stream().mapToLong(PieceCodec::bytes).sum());
    long at = 0;
    for (Piece piece : pieces) {
      long bytes = PieceCodec.bytes(piece);
      PieceCodec.encode(piece, parcel.asSlice(at, bytes));
      at += bytes;
    }
    return parcel;
  }

  /** Pieces by source rank, this rank's own among them at its place. */
  private static List<PieceCodec.Incoming> unpack(
      SortedMap<Integer, MemorySegment> arrivals, LocalStatus status) {
    List<PieceCodec.Incoming> pieces = new ArrayList<>();
    arrivals.forEach((rank, parcel) -> {
      ByteReader in = ByteReader.of(parcel, "pieces from rank " + rank);
      status.attempt(() -> {
        while (in.remaining() > 0) {
          pieces.add(PieceCodec.decode(in));
        }
      });
    });
    return pieces;
  }
}
