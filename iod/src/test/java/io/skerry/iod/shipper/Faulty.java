package io.skerry.iod.shipper;

import io.skerry.iod.engine.Changes;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.ContainerInfo;
import io.skerry.iod.engine.EngineException;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Shard;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BiConsumer;

/** A source whose container fails where a test wants it to. */
public record Faulty(ContainerSource source, BiConsumer<Integer, String> fault)
    implements ContainerSource {

  /** Returns the exception of a disk error in a shard. */
  public static EngineException engine(EngineException.Fault fault, int shard) {
    return new EngineException(
        fault, "c", OptionalInt.of(shard), "E5", "injected", new IllegalStateException("disk"));
  }

  @Override
  public EngineLocation location() {
    return source.location();
  }

  @Override
  public ContainerInfo info() {
    return source.info();
  }

  @Override
  public Container open(Set<Integer> shards) {
    fault.accept(-1, "ContainerSource.open");
    return wrapped(Container.class, source.open(shards), -1);
  }

  private <T> T wrapped(Class<T> type, T inner, int shard) {
    return type.cast(
        Proxy.newProxyInstance(
            Faulty.class.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> call(type, method, inner, arguments, shard)));
  }

  private Object call(Class<?> type, Method method, Object inner, Object[] arguments, int shard)
      throws Throwable {
    fault.accept(shard, type.getSimpleName() + "." + method.getName());
    Object result;
    try {
      result = method.invoke(inner, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
    return switch (result) {
      case Shard opened -> wrapped(Shard.class, opened, opened.number());
      case Changes begun -> wrapped(Changes.class, begun, shard);
      case null, default -> result;
    };
  }
}
