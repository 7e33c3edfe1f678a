package io.skerry.integration.architecture;

import java.io.IOException;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.MethodTypeEntry;
import java.lang.classfile.constantpool.NameAndTypeEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The top-level classes of other packages to which compiled classes refer: the types that they
 * declare or use, and the parameters and results of the methods that they call. The nested classes
 * of a class count as the class.
 */
final class ReferredClasses {
  private static final Pattern TOP_LEVEL = Pattern.compile("L(io/skerry/[^;$<.]*)");

  private final Map<String, Set<String>> byClass = new TreeMap<>();

  /** Adds the class files below a folder, which holds the packages. */
  void add(Path classes) throws IOException {
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(ReferredClasses::isClass).toList()) {
        add(ClassFile.of().parse(file));
      }
    }
  }

  private static boolean isClass(Path file) {
    return file.toString().endsWith(".class") && !file.endsWith("module-info.class");
  }

  private void add(ClassModel model) {
    String name = model.thisClass().asInternalName().replace('/', '.').replaceAll("\\$.*", "");
    Set<String> referred = byClass.computeIfAbsent(name, _ -> new TreeSet<>());
    for (PoolEntry entry : model.constantPool()) {
      switch (entry) {
        case ClassEntry type -> add(type.asSymbol().descriptorString(), referred);
        case NameAndTypeEntry member -> add(member.type().stringValue(), referred);
        case MethodTypeEntry method -> add(method.descriptor().stringValue(), referred);
        default -> {}
      }
    }
    addGenerics(model, referred);
    model
        .fields()
        .forEach(field -> {
          add(field.fieldType().stringValue(), referred);
          addGenerics(field, referred);
        });
    model
        .methods()
        .forEach(method -> {
          add(method.methodType().stringValue(), referred);
          addGenerics(method, referred);
        });
    referred.removeIf(other -> packageOf(other).equals(packageOf(name)));
  }

  private static void addGenerics(AttributedElement element, Set<String> referred) {
    element
        .findAttribute(Attributes.signature())
        .ifPresent(generics -> add(generics.signature().stringValue(), referred));
  }

  private static void add(String descriptor, Set<String> referred) {
    Matcher types = TOP_LEVEL.matcher(descriptor);
    while (types.find()) {
      referred.add(types.group(1).replace('/', '.'));
    }
  }

  private static String packageOf(String name) {
    return name.substring(0, name.lastIndexOf('.'));
  }

  /** Returns the classes that the added classes refer to, by class. */
  Map<String, Set<String>> byClass() {
    return byClass;
  }
}
