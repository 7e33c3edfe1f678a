package io.skerry.cache.scheduling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.cache.Crowd;
import io.skerry.cache.RequestInterruptedException;
import io.skerry.cache.scheduling.Admission.Grant;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs requests on many threads, some of which are interrupted, and adds up the memory in use. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AdmissionRaceTest {
  private static final int SEEDS = 1000;
  private static final int THREADS = 6;
  private static final int REQUESTS = 20;
  private static final long LIMIT = 100;

  /** The run of one seed. */
  private static final class Run {
    private final long seed;
    private final Admission admission = new Admission(LIMIT);
    private final AtomicLong used = new AtomicLong();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger interrupted = new AtomicInteger();
    private final AtomicInteger alone = new AtomicInteger();

    Run(long seed) {
      this.seed = seed;
    }

    void requests(Crowd crowd, int thread) {
      Random random = new Random(seed * THREADS + thread);
      for (int i = 0; i < REQUESTS; i++) {
        if (random.nextInt(10) == 0) {
          crowd.interruptAny(random);
        }
        long bytes = random.nextInt(3) == 0 ? random.nextInt(150) : random.nextInt(30);
        try (Grant grant = admission.admit(bytes)) {
          assertEquals(bytes > LIMIT, grant.isAlone());
          use(grant, random);
        } catch (RequestInterruptedException e) {
          assertTrue(Thread.interrupted());
          interrupted.incrementAndGet();
        }
      }
    }

    private void use(Grant grant, Random random) {
      int together = running.incrementAndGet();
      long bytes = used.addAndGet(grant.bytes());
      assertTrue(bytes <= LIMIT, "used at once: " + bytes);
      for (int i = random.nextInt(4); i > 0; i--) {
        Thread.yield();
        if (grant.isAlone()) {
          assertEquals(1, together, "beside one that is alone");
          assertEquals(1, running.get(), "beside one that is alone");
          alone.incrementAndGet();
        }
      }
      used.addAndGet(-grant.bytes());
      running.decrementAndGet();
    }
  }

  @Test
  void only_a_request_alone_exceeds_the_limit() {
    int interrupted = 0;
    int alone = 0;
    long waits = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      Run run = new Run(seed);
      Crowd.run(THREADS, run::requests);
      assertEquals(0, run.admission.used());
      assertEquals(0, run.admission.waiting());
      interrupted += run.interrupted.get();
      alone += run.alone.get();
      waits += run.admission.waits();
    }
    assertTrue(interrupted > 0, "interrupts that met a waiting thread: " + interrupted);
    assertTrue(alone > 0, "requests alone: " + alone);
    assertTrue(waits > 0, "requests that waited: " + waits);
  }
}
