package io.skerry.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a failed opening leaves no watchdog thread, whichever step of it fails. */
class FailedOpeningTest {
  private static final String WATCHDOG = "skerry-watchdog-";

  @TempDir Path folder;

  /** Returns a communicator that, like its duplicates, fails in the given method. */
  private static Communicator failing(Communicator sound, String method, AtomicInteger failures) {
    return (Communicator)
        Proxy.newProxyInstance(
            Communicator.class.getClassLoader(),
            new Class<?>[] {Communicator.class},
            (_, called, arguments) -> {
              if (called.getName().equals(method)) {
                failures.incrementAndGet();
                throw new IllegalStateException("the test interrupts " + method);
              }
              try {
                Object result = called.invoke(sound, arguments);
                return result instanceof Communicator made
                    ? failing(made, method, failures)
                    : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static Set<Thread> watchdogs() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith(WATCHDOG))
        .collect(Collectors.toSet());
  }

  private void failsAt(String method) throws InterruptedException {
    Set<Thread> before = watchdogs();
    AtomicInteger failures = new AtomicInteger();
    LocalRanks.run(
        2,
        world ->
            assertThrows(
                RuntimeException.class,
                () ->
                    CollectiveFile.open(
                        folder.resolve(method + ".h5"),
                        FileAccess.CREATE,
                        failing(world, method, failures),
                        FileOptions.standard(),
                        (_, _) -> {
                          throw new IOException("the file was opened");
                        })));
    assertEquals(2, failures.get(), method);
    Set<Thread> left = watchdogs();
    left.removeAll(before);
    for (Thread watchdog : left) {
      watchdog.join(10_000);
    }
    assertTrue(left.stream().noneMatch(Thread::isAlive), "left after a failure of " + method);
  }

  @Test
  void a_communicator_that_cannot_be_duplicated_leaves_no_watchdog() throws InterruptedException {
    failsAt("duplicate");
  }

  @Test
  void a_broadcast_that_fails_leaves_no_watchdog() throws InterruptedException {
    failsAt("broadcast");
  }

  @Test
  void a_file_that_the_library_cannot_open_leaves_no_watchdog() throws InterruptedException {
    failsAt("openFile");
  }
}
