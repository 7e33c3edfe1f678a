package io.skerry.iod.shipper;

import io.skerry.iod.shipper.option.ShipperOptions;
import io.skerry.mpi.LocalRanks;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** Calls each test of a class on rank 0, with an engine whose shards are on other ranks. */
final class OnRanks implements InvocationInterceptor {
  /** A test class. */
  interface Test {
    /** Returns the ranks and their engine. */
    Engine ranks();

    /** Returns why a test is not run; empty if it is. */
    default Optional<String> skipped(String test, List<Object> arguments) {
      return Optional.empty();
    }
  }

  /** The engine of a test, which exists during the test. */
  static final class Engine {
    private final int ranks;
    private final ShipperOptions options;
    private Optional<RemoteEngine> engine = Optional.empty();

    Engine(int ranks, ShipperOptions options) {
      this.ranks = ranks;
      this.options = options;
    }

    RemoteEngine get() {
      return engine.orElseThrow();
    }

    private void run(Invocation<Void> test) {
      LocalRanks.run(
          ranks,
          world -> {
            var remote = new RemoteEngine(world, options);
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
  }

  @Override
  public void interceptTestMethod(
      Invocation<Void> test, ReflectiveInvocationContext<Method> method, ExtensionContext context) {
    var target = (Test) method.getTarget().orElseThrow();
    target
        .skipped(method.getExecutable().getName(), method.getArguments())
        .ifPresent(reason -> {
          test.skip();
          Assumptions.abort(reason);
        });
    target.ranks().run(test);
  }

  @Override
  public void interceptTestTemplateMethod(
      Invocation<Void> test, ReflectiveInvocationContext<Method> method, ExtensionContext context) {
    interceptTestMethod(test, method, context);
  }
}
