package io.skerry.internal.dataset.virtual;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.collective.wire.Exchange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The parts of a virtual dataset that one rank reads for other ranks. */
final class ServedParts {
  private final Map<Want.Id, Served> parts = new LinkedHashMap<>();

  /**
   * What another rank wants of a part.
   *
   * @param index the number of earlier requests of that rank to this one
   */
  record Request(int rank, int index, Want want) {}

  /**
   * A part that is read for other ranks.
   *
   * @param own what this rank wants of it
   */
  record Served(Want.Id id, List<SharedPlan.Item> own, List<Request> requests) {
    /** Returns all wanted elements, each once. */
    List<Piece> union() {
      List<Want> wants = new ArrayList<>();
      own.forEach(item -> wants.add(item.want()));
      requests.forEach(request -> wants.add(request.want()));
      return Want.union(wants);
    }

    /** Returns the part. */
    Part part(VirtualParts all) {
      return own.isEmpty() ? all.part(id.mapping(), id.block()) : own.getFirst().part();
    }

    private long sent() {
      return requests.stream().mapToLong(r -> Want.elements(r.want().pieces())).sum();
    }
  }

  /** Adds the requests of other ranks. */
  void add(Exchange.Inbox received) {
    for (int rank : received.senders()) {
      ByteReader message = received.from(rank);
      for (int index = 0; message.remaining() > 0; index++) {
        Want want = Want.decode(message);
        parts
            .computeIfAbsent(want.id(), id -> new Served(id, new ArrayList<>(), new ArrayList<>()))
            .requests()
            .add(new Request(rank, index, want));
      }
    }
  }

  /** Adds what this rank wants of a part; returns false if no other rank wants any of it. */
  boolean addOwn(SharedPlan.Item item) {
    Served served = parts.get(item.want().id());
    if (served == null) {
      return false;
    }
    served.own().add(item);
    return true;
  }

  /**
   * Returns the parts in the order of their mappings, in rounds.
   *
   * @param most the number of elements that are sent in a round; a single part may have more
   */
  List<List<Served>> rounds(long most) {
    List<Served> ordered = new ArrayList<>(parts.values());
    ordered.sort((a, b) -> a.id().compareTo(b.id()));
    List<List<Served>> rounds = new ArrayList<>();
    long sent = most;
    for (Served part : ordered) {
      if (sent >= most) {
        rounds.add(new ArrayList<>());
        sent = 0;
      }
      rounds.getLast().add(part);
      sent += part.sent();
    }
    return rounds;
  }
}
