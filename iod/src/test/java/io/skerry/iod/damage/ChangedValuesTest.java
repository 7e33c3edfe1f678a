package io.skerry.iod.damage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.iod.encoding.AllocatedBytes;
import io.skerry.iod.engine.InMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Changes values, scratch pads, keys and tiles of a container, most of them with a corrected
 * checksum, and uses the container. Each operation gives a result or a documented exception, in
 * bounded time and memory.
 */
class ChangedValuesTest {
  /** The number of cases; {@code -Pslow} runs more. */
  private static final long CASES = Long.getLong("skerry.iod.mutations", 200);

  private static final long FIRST = Long.getLong("skerry.iod.mutations.first", 0);

  /** The interval of the cases in which a larger container is copied, opened and changed. */
  private static final int INTERVAL = 50;

  private static final long SECONDS = 60;

  /** The bytes that a case may allocate on the heap, beside twice the size of what it reads. */
  private static final long MOST_BYTES = 256 << 20;

  @TempDir(factory = InMemory.class)
  Path folder;

  private long most;

  @Test
  void changed_values_cause_a_documented_exception_or_a_result() throws Exception {
    List<String> defects = new ArrayList<>();
    int refusals = 0;
    ExecutorService thread =
        Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().factory());
    try (DamagedContainers small = created(DamagedContainers.Content.SMALL);
        DamagedContainers large = created(DamagedContainers.Content.LARGE)) {
      for (long number = FIRST; number < FIRST + CASES; number++) {
        boolean isUsed = number % INTERVAL == 0;
        boolean isLarge = isUsed || number % INTERVAL == 1;
        DamagedContainers containers = isLarge ? large : small;
        List<Damage> damages = containers.mutator().damages(number);
        DamageJudge judge =
            ended(
                thread,
                () -> isUsed ? containers.use(damages) : containers.read(damages),
                "case " + number + " " + damages);
        refusals += judge.refusals() > containers.refusals() ? 1 : 0;
        if (!judge.defects().isEmpty()) {
          defects.add("case " + number + " " + damages + "\n  " + judge.defects());
        }
      }
    } finally {
      thread.shutdown();
    }
    System.out.println(
        CASES + " changed containers, " + refusals + " refused, at most " + most + " bytes each");
    assertTrue(defects.isEmpty(), () -> defects.size() + " defects:\n" + shown(defects));
    assertTrue(refusals > CASES / 3, "refusals: " + refusals);
  }

  /** Writes a container, and checks that its use has no defects before it is damaged. */
  private DamagedContainers created(DamagedContainers.Content content) throws IOException {
    DamagedContainers created =
        new DamagedContainers(Files.createDirectory(folder.resolve(content.name())), content);
    assertTrue(created.mutator().kinds() > 40, "kinds: " + created.mutator().kinds());
    DamageJudge sound = created.read(List.of());
    assertEquals(List.of(), sound.defects());
    assertEquals(List.of(), created.use(List.of()).defects());
    return created;
  }

  /** Runs a case, which must end in time. */
  private DamageJudge ended(ExecutorService thread, Supplier<DamageJudge> body, String text)
      throws InterruptedException {
    Thread[] running = new Thread[1];
    var result =
        thread.submit(() -> {
          running[0] = Thread.currentThread();
          long before = AllocatedBytes.ofThisThread();
          DamageJudge judge = body.get();
          long allocated = AllocatedBytes.ofThisThread() - before;
          if (allocated > MOST_BYTES + 2 * judge.demanded()) {
            judge.defect("allocated: " + allocated + " demanded: " + judge.demanded());
          }
          most = Math.max(most, allocated);
          return judge;
        });
    try {
      return result.get(SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError(
          text
              + " does not end: "
              + Arrays.stream(running[0].getStackTrace())
                  .map(StackTraceElement::toString)
                  .collect(Collectors.joining("\n")),
          e);
    } catch (ExecutionException e) {
      throw new AssertionError(text, e);
    }
  }

  @Test
  void changed_records_of_the_engine_cause_a_documented_exception_or_a_result() throws Exception {
    List<String> defects = new ArrayList<>();
    int refusals = 0;
    long cases = Math.max(1, CASES / INTERVAL);
    ExecutorService thread =
        Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().factory());
    try (DamagedContainers containers = created(DamagedContainers.Content.LARGE)) {
      RecordMutator records = containers.records();
      for (long number = FIRST; number < FIRST + cases; number++) {
        RecordMutator.Change change = records.change(number);
        String text = "case " + number + " " + change;
        DamageJudge judge = ended(thread, () -> containers.use(change::apply), text);
        refusals += judge.refusals() > containers.refusals() ? 1 : 0;
        if (!judge.defects().isEmpty()) {
          defects.add(text + "\n  " + judge.defects());
        }
      }
    } finally {
      thread.shutdown();
    }
    System.out.println(cases + " changed records, " + refusals + " refused");
    assertTrue(defects.isEmpty(), () -> defects.size() + " defects:\n" + shown(defects));
  }

  private static String shown(List<String> defects) {
    return String.join("\n", defects.stream().limit(20).toList());
  }

  @Test
  void the_number_of_a_case_determines_its_damage() {
    try (DamagedContainers containers =
        new DamagedContainers(folder, DamagedContainers.Content.SMALL)) {
      for (long number = 0; number < 200; number++) {
        assertEquals(
            containers.mutator().damages(number).toString(),
            containers.mutator().damages(number).toString());
      }
    }
  }
}
