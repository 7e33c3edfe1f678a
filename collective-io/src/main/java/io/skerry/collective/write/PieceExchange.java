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

/** Sends the pieces of a round from the ranks that write them to the ranks that own the chunks. */
final class PieceExchange {
  private static final int TAG = 7002;

  private final FileContext context;

  PieceExchange(FileContext context) {
    this.context = context;
  }

  /** Indicates whether pieces are exchanged between ranks; equal on all ranks. */
  enum Traffic {
    /** Some rank has pieces for another rank, so all ranks take part in an exchange. */
    AMONG_RANKS,
    /** The owner of every piece is the rank that writes the piece. */
    NONE
  }

  /**
   * The destination of the pieces of a chunk.
   *
   * @param rank the owner of the chunk
   * @param round the round in which the owner receives the pieces
   */
  record Destination(int rank, int round) {
    Destination inRound(int other) {
      return new Destination(rank, other);
    }
  }

  /**
   * Sends and receives the pieces of one round. Collective if {@code traffic} is {@link
   * Traffic#AMONG_RANKS}, otherwise local. Owners know the senders and sizes of incoming pieces, so
   * a rank sends messages only to the ranks for which it has pieces.
   *
   * @param routes the destination of each chunk for which this rank has pieces
   * @param expected the number of bytes of incoming pieces, by source rank
   * @param leases the owner of the memory of the returned pieces
   * @return the pieces for the chunks that this rank owns, ordered by source rank, chunk and
   *     request
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
    SortedMap<Integer, MemorySegment> outgoingBytes = new TreeMap<>();
    SortedMap<Integer, MemorySegment> incomingBytes = new TreeMap<>();
    status.attempt(() -> {
      outgoing.forEach((rank, pieces) -> outgoingBytes.put(rank, pack(pieces, leases)));
      expected.forEach((rank, bytes) ->
          incomingBytes.put(
              rank,
              isMe(rank) ? Objects.requireNonNull(outgoingBytes.get(rank)) : leases.take(bytes)));
    });
    if (traffic == Traffic.AMONG_RANKS) {
      // A rank that cannot allocate memory for incoming pieces has failed, and ranks that send to
      // it must not wait for it.
      context.outcome().agree(status);
      transfer(outgoingBytes, incomingBytes);
    }
    return unpack(incomingBytes, status);
  }

  private boolean isMe(int rank) {
    return rank == context.ranks().rank();
  }

  private void transfer(
      SortedMap<Integer, MemorySegment> outgoingBytes,
      SortedMap<Integer, MemorySegment> incomingBytes) {
    List<Request> transfers = new ArrayList<>();
    incomingBytes.forEach((rank, place) -> {
      if (!isMe(rank)) {
        transfers.add(context.ranks().receiveLater(place, rank, TAG));
      }
    });
    outgoingBytes.forEach((rank, packed) -> {
      if (!isMe(rank)) {
        context.meter().moves(packed.byteSize());
        transfers.add(context.ranks().sendLater(packed, rank, TAG));
      }
    });
    Request.awaitAll(transfers);
  }

  private static MemorySegment pack(List<Piece> pieces, Leases leases) {
    MemorySegment packed = leases.take(pieces.stream().mapToLong(PieceCodec::bytes).sum());
    long at = 0;
    for (Piece piece : pieces) {
      long bytes = PieceCodec.bytes(piece);
      PieceCodec.encode(piece, packed.asSlice(at, bytes));
      at += bytes;
    }
    return packed;
  }

  /** Decodes the pieces in the order of their source ranks, including those of this rank. */
  private static List<PieceCodec.Incoming> unpack(
      SortedMap<Integer, MemorySegment> incomingBytes, LocalStatus status) {
    List<PieceCodec.Incoming> pieces = new ArrayList<>();
    incomingBytes.forEach((rank, packed) -> {
      ByteReader in = ByteReader.of(packed, "pieces from rank " + rank);
      status.attempt(() -> {
        while (in.remaining() > 0) {
          pieces.add(PieceCodec.decode(in));
        }
      });
    });
    return pieces;
  }
}
