package io.skerry.iod.shipper;

import io.skerry.iod.engine.EngineConformance;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.EngineProvider;
import io.skerry.mpi.LocalRanks;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.io.TempDir;

/** Runs the tests of engines on rank 0, with the shards on other ranks. */
@ExtendWith(RemoteConformance.OnRanks.class)
abstract class RemoteConformance extends EngineConformance {
  private static final Map<String, String> SKIPPED =
      Map.of(
          "the_engine_is_found_by_its_scheme", "the engine of this test is no service",
          "closing_beside_other_threads_gives_them_an_exception",
              "a communicator is confined to the thread of its rank",
          "a_reader_beside_a_writer_sees_exactly_its_transaction",
              "a communicator is confined to the thread of its rank");

  @TempDir Path folder;

  private Optional<RemoteEngine> engine = Optional.empty();

  /** Returns the number of ranks. */
  abstract int ranks();

  /** Returns the options of the shipper. */
  abstract ShipperOptions options();

  @Override
  protected EngineProvider engine() {
    return engine.orElseThrow();
  }

  @Override
  protected EngineLocation location(String name) {
    return EngineLocation.of("iod:" + folder.resolve(name));
  }

  private void onRanks(InvocationInterceptor.Invocation<Void> test) {
    LocalRanks.run(
        ranks(),
        world -> {
          var remote = new RemoteEngine(world, options());
          if (world.rank() > 0) {
            remote.serve();
            return;
          }
          engine = Optional.of(remote);
          try {
            test.proceed();
          } catch (Exception | Error e) {
            throw e;
          } catch (Throwable e) {
            throw new IllegalStateException(e);
          }
          remote.end();
        });
  }

  /** Calls a test on rank 0. */
  static final class OnRanks implements InvocationInterceptor {
    @Override
    public void interceptTestMethod(
        Invocation<Void> test,
        ReflectiveInvocationContext<Method> method,
        ExtensionContext context) {
      Optional.ofNullable(SKIPPED.get(method.getExecutable().getName()))
          .ifPresent(
              reason -> {
                test.skip();
                Assumptions.abort(reason);
              });
      ((RemoteConformance) method.getTarget().orElseThrow()).onRanks(test);
    }

    @Override
    public void interceptTestTemplateMethod(
        Invocation<Void> test,
        ReflectiveInvocationContext<Method> method,
        ExtensionContext context) {
      interceptTestMethod(test, method, context);
    }
  }
}
