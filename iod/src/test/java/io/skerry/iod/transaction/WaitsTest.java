package io.skerry.iod.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Compares the waits and contexts of a leader with plain lists. */
class WaitsTest {
  private static Set<Waits.Wait> removed(List<Waits.Wait> model, Predicate<Waits.Wait> condition) {
    Set<Waits.Wait> removed = new HashSet<>();
    for (Waits.Wait wait : List.copyOf(model)) {
      if (condition.test(wait)) {
        model.remove(wait);
        removed.add(wait);
      }
    }
    return removed;
  }

  @Test
  void random_waits_are_those_of_a_list() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      Waits waits = new Waits();
      List<Waits.Wait> model = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        long number = random.nextInt(10);
        int client = random.nextInt(3);
        Waits.Event event = Waits.Event.values()[random.nextInt(2)];
        switch (random.nextInt(8)) {
          case 0 ->
              assertEquals(
                  removed(model, wait -> wait.event() == event && wait.number() <= number),
                  Set.copyOf(waits.takeThrough(event, number)));
          case 1 ->
              assertEquals(
                  removed(model, wait -> wait.number() == number),
                  Set.copyOf(waits.takeOf(number)));
          case 2 -> {
            waits.removeOf(client);
            var unused = removed(model, wait -> wait.client() == client);
          }
          default -> {
            Waits.Wait wait = new Waits.Wait(client, i, event, number);
            waits.add(wait);
            model.add(wait);
          }
        }
        assertEquals(
            model.stream()
                .anyMatch(w -> w.event() == Waits.Event.PERSISTED && w.number() <= number),
            waits.needsPersist(number));
      }
      assertEquals(Set.copyOf(model), Set.copyOf(waits.takeAll()));
    }
  }

  @Test
  void random_contexts_keep_the_lowest_version() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      Contexts contexts = new Contexts(0);
      Map<Long, ReadContext> model = new HashMap<>();
      Map<Long, Integer> clients = new HashMap<>();
      long persisted = 0;
      for (int i = 0; i < 60; i++) {
        int client = random.nextInt(3);
        switch (random.nextInt(6)) {
          case 0 -> {
            contexts.releaseAll(client);
            model.keySet().removeIf(id -> clients.get(id) == client);
          }
          case 1, 2 -> {
            long id = 1 + random.nextInt(i + 1);
            contexts.release(id);
            model.remove(id);
          }
          default -> {
            long version = persisted + random.nextInt(5);
            ReadContext context = contexts.acquire(client, 1, version);
            model.put(context.id(), context);
            clients.put(context.id(), client);
          }
        }
        persisted += random.nextInt(2);
        long lowest = model.values().stream().mapToLong(ReadContext::transaction).min().orElse(99);
        long bound = Math.min(lowest, persisted);
        long before = contexts.oldest();
        assertEquals(
            bound > before ? Optional.of(bound) : Optional.empty(), contexts.purge(persisted));
        assertEquals(Math.max(before, bound), contexts.oldest());
      }
    }
  }
}
