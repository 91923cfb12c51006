package dev.quickwater.common;

import java.io.IOException;
import java.io.InputStream;

/// A class loader that makes copies of test classes, so that they can be unloaded.
final class Classes extends ClassLoader {

  private final Class<?> copied;

  /// Copies `copied` and takes everything else from its loader.
  Classes(Class<?> copied) {
    super(copied.getClassLoader());
    this.copied = copied;
  }

  Class<?> copy() throws ClassNotFoundException {
    return loadClass(copied.getName());
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.equals(copied.getName())) {
      return super.loadClass(name, resolve);
    }
    Class<?> loaded = findLoadedClass(name);
    if (loaded != null) {
      return loaded;
    }
    String file = name.replace('.', '/') + ".class";
    try (InputStream in = copied.getClassLoader().getResourceAsStream(file)) {
      byte[] bytes = in.readAllBytes();
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }
}
