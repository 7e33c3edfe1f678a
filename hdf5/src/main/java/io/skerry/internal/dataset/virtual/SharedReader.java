package io.skerry.internal.dataset.virtual;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.collective.dataset.TypedMemory;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.wire.Exchange;
import io.skerry.collective.wire.SourceDeal;
import io.skerry.datatype.Datatype;
import io.skerry.internal.value.PackedArrays;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Reduction;
import io.skerry.selection.Selection;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Reads the elements that several ranks select in a virtual dataset. {@link SharedPlan} lists what
 * a rank wants, and {@link SourceDeal} names the reader of each source, which reads what all ranks
 * want of it once and sends it to them. The number of exchanges depends on the size of the messages
 * and not on the number of sources; if no source is wanted by two ranks, no elements are exchanged.
 * A rank that failed takes part in all exchanges, without data.
 */
final class SharedReader {
  /** The number of bytes that a rank sends in one exchange, approximately. */
  private static final long ROUND = 32 << 20;

  private static final List<SharedPlan.Item> NO_ITEMS = List.of();

  private final Communicator ranks;
  private final VirtualReader alone;
  private final TypedMemory target;
  private final Datatype type;
  private final LocalStatus status = new LocalStatus();

  /** What this rank has asked of other ranks, by the rank and in the order of the requests. */
  private final Map<Integer, List<SharedPlan.Item>> asked = new HashMap<>();

  /**
   * Creates a reader.
   *
   * @param alone reads on this rank
   * @param target the buffer, with one value for each selected element, in selection order
   */
  SharedReader(Communicator ranks, VirtualReader alone, TypedMemory target) {
    this.ranks = ranks;
    this.alone = alone;
    this.target = target;
    this.type = alone.type();
  }

  /** Reads the selected elements that have a source; the others keep their values. Collective. */
  void read(Supplier<Selection> selection) {
    SharedPlan plan =
        status.attempt(
            () -> guarded(() -> SharedPlan.of(selection.get(), alone, slice())), SharedPlan.NONE);
    int[] readers = new SourceDeal(ranks).readers(plan.sources());
    List<List<SharedPlan.Item>> items = plan.items();
    boolean shares = false;
    for (int reader : readers) {
      shares |= reader != ranks.rank();
    }
    ServedParts served = new ServedParts();
    if (ranks.allReduce(shares ? 1 : 0, Reduction.MAX) > 0) {
      Exchange.Outbox requests =
          status.attempt(() -> requests(items, readers), new Exchange.Outbox());
      Exchange.Inbox received = Exchange.deliver(ranks, requests, "wanted elements");
      status.attempt(() -> served.add(received));
    }
    status.attempt(() -> guarded(() -> readOwn(plan.alone(), items, readers, served)));
    exchange(served);
    status.attempt(() -> alone.repeat(plan.wanted(), target));
    if (status.failure().isPresent()) {
      throw status.failure().get();
    }
  }

  /** Returns the greatest number of elements of a part that are read at a time. */
  private long slice() {
    return Math.max(1024, ROUND / 2 / ranks.size() / type.size());
  }

  private <T> T guarded(Supplier<T> step) {
    return alone.sources().guarded(step);
  }

  private Exchange.Outbox requests(List<List<SharedPlan.Item>> items, int[] readers) {
    Exchange.Outbox requests = new Exchange.Outbox();
    for (int i = 0; i < readers.length; i++) {
      if (readers[i] != ranks.rank()) {
        for (SharedPlan.Item item : items.get(i)) {
          item.want().encode(requests.to(readers[i]));
          asked.computeIfAbsent(readers[i], _ -> new ArrayList<>()).add(item);
        }
      }
    }
    return requests;
  }

  /** Reads what only this rank wants; notes what it wants of the parts that it reads for others. */
  private boolean readOwn(
      List<SharedPlan.Item> unshared,
      List<List<SharedPlan.Item>> items,
      int[] readers,
      ServedParts served) {
    for (SharedPlan.Item item : unshared) {
      boolean unused = alone.part(item.part(), item.want().pieces(), target.values());
    }
    for (int i = 0; i < readers.length; i++) {
      for (SharedPlan.Item item : readers[i] == ranks.rank() ? items.get(i) : NO_ITEMS) {
        if (!served.addOwn(item)) {
          boolean unused = alone.part(item.part(), item.want().pieces(), target.values());
        }
      }
    }
    return true;
  }

  private void exchange(ServedParts served) {
    List<List<ServedParts.Served>> rounds = served.rounds(ROUND / type.size());
    long most = ranks.allReduce(rounds.size(), Reduction.MAX);
    for (int round = 0; round < most; round++) {
      List<ServedParts.Served> parts = round < rounds.size() ? rounds.get(round) : List.of();
      Exchange.Outbox out =
          status.attempt(() -> guarded(() -> elements(parts)), new Exchange.Outbox());
      Exchange.Inbox in = Exchange.deliver(ranks, out, "elements of sources");
      status.attempt(() -> receive(in));
    }
  }

  private Exchange.Outbox elements(List<ServedParts.Served> parts) {
    Exchange.Outbox out = new Exchange.Outbox();
    for (ServedParts.Served served : parts) {
      List<Piece> union = served.union();
      MemorySegment values = PackedArrays.buffer(Want.elements(union), type);
      if (alone.part(served.part(alone.parts()), union, values)) {
        Runs runs = Runs.of(union.stream().map(SharedReader::run).toList());
        for (SharedPlan.Item item : served.own()) {
          copy(runs, values, item.want().pieces());
        }
        for (ServedParts.Request request : served.requests()) {
          send(runs, values, request, out.to(request.rank()));
        }
      }
    }
    return out;
  }

  private static long[] run(Piece piece) {
    return new long[] {piece.number(), piece.length(), piece.place()};
  }

  private void copy(Runs runs, MemorySegment values, List<Piece> pieces) {
    int size = type.size();
    for (Piece piece : pieces) {
      long moved = piece.place() - piece.number();
      runs.forEachWithin(
          piece.number(),
          piece.number() + piece.length(),
          (begin, length, place) ->
              MemorySegment.copy(
                  values, place * size, target.values(), (begin + moved) * size, length * size));
    }
  }

  private void send(
      Runs runs, MemorySegment values, ServedParts.Request request, ByteWriter message) {
    int size = type.size();
    message.u32(request.index());
    for (Piece piece : request.want().pieces()) {
      runs.forEachWithin(
          piece.number(),
          piece.number() + piece.length(),
          (_, length, place) -> message.bytes(values.asSlice(place * size, length * size)));
    }
  }

  private void receive(Exchange.Inbox in) {
    int size = type.size();
    for (int reader : in.senders()) {
      ByteReader message = in.from(reader);
      while (message.remaining() > 0) {
        SharedPlan.Item item = asked.getOrDefault(reader, NO_ITEMS).get(message.i32());
        for (Piece piece : item.want().pieces()) {
          MemorySegment.copy(
              message.slice(piece.length() * size),
              0,
              target.values(),
              piece.place() * size,
              piece.length() * size);
        }
      }
    }
  }
}
