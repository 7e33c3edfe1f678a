package io.skerry.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.cache.policy.EvictionOrder;
import io.skerry.cache.policy.FrequencyOrder;
import io.skerry.cache.policy.Item;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Compares policies with few rules, victim by victim, with straightforward implementations of their
 * rules.
 */
class PolicyModelTest {
  private static final int SEEDS = 20;
  private static final int STEPS = 4_000;
  private static final long CAPACITY = 5_000;

  /** The rules of a policy on a plain list, with the next victim first. */
  private abstract static class Model {
    final List<Item> victims = new ArrayList<>();

    abstract void add(Item item);

    abstract void use(Item item);

    Item nominate() {
      return victims.removeFirst();
    }

    void restore(Item item) {
      victims.addFirst(item);
    }

    void evicted(Item item) {}

    void remove(Item item) {
      victims.remove(item);
    }
  }

  private static final class MostRecent extends Model {
    @Override
    void add(Item item) {
      victims.addFirst(item);
    }

    @Override
    void use(Item item) {
      victims.remove(item);
      victims.addFirst(item);
    }
  }

  private static final class LeastRecent extends Model {
    @Override
    void add(Item item) {
      victims.addLast(item);
    }

    @Override
    void use(Item item) {
      victims.remove(item);
      victims.addLast(item);
    }
  }

  private static final class LeastFrequent extends Model {
    private final Map<Item, Integer> uses = new HashMap<>();
    private int events;

    @Override
    void add(Item item) {
      uses.put(item, 1);
      insert(item);
    }

    @Override
    void use(Item item) {
      victims.remove(item);
      uses.merge(item, 1, (a, b) -> Math.min(FrequencyOrder.MOST, a + b));
      insert(item);
    }

    private void insert(Item item) {
      int at = (int) victims.stream().filter(other -> uses.get(other) <= uses.get(item)).count();
      victims.add(at, item);
      events++;
      if (events >= FrequencyOrder.USES_PER_ROUND * victims.size()) {
        events = 0;
        uses.replaceAll((any, count) -> count / 2);
      }
    }

    @Override
    void restore(Item item) {
      int at = (int) victims.stream().filter(other -> uses.get(other) < uses.get(item)).count();
      victims.add(at, item);
    }
  }

  private static final class S3Fifo extends Model {
    private final List<Item> small = victims;
    private final List<Item> main = new ArrayList<>();
    private final Map<Item, Integer> uses = new HashMap<>();
    private final Map<Item, List<Item>> origin = new HashMap<>();
    private final LinkedHashMap<Long, Long> ghosts = new LinkedHashMap<>();
    private long settled = CAPACITY;
    private boolean nominated;
    private int most;

    private static long bytes(List<Item> items) {
      return items.stream().mapToLong(Item::bytes).sum();
    }

    @Override
    void add(Item item) {
      if (nominated) {
        settled = bytes(small) + bytes(main);
        nominated = false;
      }
      uses.put(item, 0);
      (ghosts.remove(item.number()) == null ? small : main).addLast(item);
      most = Math.max(most, small.size() + main.size());
    }

    @Override
    void use(Item item) {
      uses.merge(item, 1, (a, b) -> Math.min(3, a + b));
    }

    @Override
    Item nominate() {
      nominated = true;
      long room = Math.min(Math.min(settled, CAPACITY), bytes(small) + bytes(main));
      while (true) {
        boolean fromSmall = bytes(small) > room / 10 || main.isEmpty();
        Item item = (fromSmall ? small : main).removeFirst();
        int count = uses.get(item);
        if (count < (fromSmall ? 2 : 1)) {
          origin.put(item, fromSmall ? small : main);
          return item;
        }
        uses.put(item, fromSmall ? 0 : count - 1);
        main.addLast(item);
      }
    }

    @Override
    void restore(Item item) {
      origin.get(item).addFirst(item);
    }

    @Override
    void evicted(Item item) {
      ghosts.putLast(item.number(), item.bytes());
      while (ghosts.size() > 1
          && (ghosts.size() > most
              || ghosts.values().stream().mapToLong(Long::longValue).sum() > CAPACITY)) {
        ghosts.pollFirstEntry();
      }
    }

    @Override
    void remove(Item item) {
      small.remove(item);
      main.remove(item);
    }
  }

  /** Fills the order up to the capacity, as the cache does; some victims are in use and stay. */
  private static void compare(EvictionPolicy policy, Model model, long seed) {
    Random random = new Random(seed);
    EvictionOrder<Item> order = EvictionOrder.of(policy);
    order.capacity(CAPACITY);
    Map<Long, Item> resident = new LinkedHashMap<>();
    int spread = 20 + random.nextInt(300);
    for (int step = 0; step < STEPS; step++) {
      long number = Math.min(random.nextInt(spread), random.nextInt(spread));
      Item item = resident.get(number);
      if (item == null) {
        item = new Item(number, 1 + random.nextInt(random.nextInt(10) == 0 ? 500 : 100));
        order.add(item);
        model.add(item);
        resident.put(number, item);
      } else if (random.nextInt(100) == 0) {
        order.remove(item);
        model.remove(item);
        resident.remove(number);
      } else {
        order.use(item);
        model.use(item);
      }
      while (order.bytes() > CAPACITY) {
        Item victim = order.nominate().orElseThrow();
        assertEquals(model.nominate(), victim, "seed=" + seed + " step=" + step);
        if (random.nextInt(5) == 0) {
          order.restore(victim);
          model.restore(victim);
        } else {
          order.evicted(victim);
          model.evicted(victim);
          resident.remove(victim.number());
        }
      }
    }
  }

  @Test
  void lru_evicts_the_least_recently_used_entry() {
    for (int seed = 0; seed < SEEDS; seed++) {
      compare(EvictionPolicy.LRU, new LeastRecent(), seed);
    }
  }

  @Test
  void mru_evicts_the_most_recently_used_entry() {
    for (int seed = 0; seed < SEEDS; seed++) {
      compare(EvictionPolicy.MRU, new MostRecent(), seed);
    }
  }

  @Test
  void lfu_evicts_the_least_frequently_used_entry_with_old_uses_halved() {
    for (int seed = 0; seed < SEEDS; seed++) {
      compare(EvictionPolicy.LFU, new LeastFrequent(), seed);
    }
  }

  @Test
  void s3_fifo_evicts_as_its_queues_prescribe() {
    for (int seed = 0; seed < SEEDS; seed++) {
      compare(EvictionPolicy.S3_FIFO, new S3Fifo(), seed);
    }
  }
}
