package io.skerry.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.collective.dataset.MetadataSource;
import io.skerry.collective.trust.ReferencedFiles;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.internal.concurrent.Watchdog;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a failed opening closes the watchdog of the file, whichever step of it fails. */
class FailedOpeningTest {
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

  private FileConnection connect(String name, Communicator world, Watchdog watchdog) {
    FileOptions options = FileOptions.standard();
    return FileConnection.open(
        ReferencedFiles.of(folder.resolve(name + ".h5"), options.trust()),
        FileAccess.CREATE,
        Optional.empty(),
        watchdog,
        world.callOrder(),
        world,
        options);
  }

  private void failsAt(String method) {
    AtomicInteger failures = new AtomicInteger();
    LocalRanks.run(
        2,
        world -> {
          Watchdog watchdog = new Watchdog(world.rank(), System.err);
          assertThrows(
              RuntimeException.class,
              () -> connect(method, failing(world, method, failures), watchdog));
          assertTrue(watchdog.isClosed(), "open after a failure of " + method);
        });
    assertEquals(2, failures.get(), method);
  }

  @Test
  void a_communicator_that_cannot_be_duplicated_leaves_no_open_watchdog() {
    failsAt("duplicate");
  }

  @Test
  void a_broadcast_that_fails_leaves_no_open_watchdog() {
    failsAt("broadcast");
  }

  @Test
  void a_file_that_the_library_cannot_open_leaves_no_open_watchdog() {
    failsAt("openFile");
  }

  @Test
  void metadata_that_cannot_be_loaded_leaves_no_open_watchdog() {
    LocalRanks.run(
        2,
        world -> {
          Watchdog watchdog = new Watchdog(world.rank(), System.err);
          FileConnection connection = connect("metadata", world, watchdog);
          assertFalse(watchdog.isClosed());
          MetadataLoader<MetadataSource> loader =
              (_, _) -> {
                throw new IOException("the test has no metadata");
              };
          CollectiveException failure =
              assertThrows(CollectiveException.class, () -> FileOpening.load(connection, loader));
          assertEquals("the test has no metadata", failure.reason());
          assertTrue(watchdog.isClosed(), "open after a failure of the loader");
        });
  }
}
