"""Lets pip install the programs, the library and the Python module: CMake builds them, and the tree that it installs
becomes the data of the wheel, which pip puts under the prefix of the environment (bin/, lib/, share/). docs/install.md says how to use it."""
import os
import pathlib
import re
import shutil
import subprocess

from setuptools import Distribution, setup  # first: it brings its own distutils
from distutils.command.install_data import install_data

SOURCE = pathlib.Path(__file__).resolve().parent
# One that is built already saves the minutes of a build.
BUILD = pathlib.Path(os.environ.get("TTSCOPE_BUILD_DIR", SOURCE / "build" / "release"))


def project_version():
    return re.search(r"project\(ttscope VERSION ([0-9.]+)", (SOURCE / "CMakeLists.txt").read_text())[1]


def build_programs():
    if not (BUILD / "build.ninja").exists():
        subprocess.run(["cmake", "--preset", "release", "-B", str(BUILD), "-DTTSCOPE_BUILD_TESTS=OFF"],
                       cwd=SOURCE, check=True)
    subprocess.run(["cmake", "--build", str(BUILD), "--target", "installed"], check=True)


class CMakeInstall(install_data):
    def run(self):
        build_programs()
        prefix = pathlib.Path(self.install_dir)
        subprocess.run(["cmake", "--install", str(BUILD), "--strip", "--prefix", str(prefix)], check=True)
        for path in sorted(prefix.rglob("*")):
            if path.is_symlink():  # a wheel holds no links
                target = path.resolve()
                path.unlink()
                shutil.copy2(target, path)
            if path.is_file():
                self.outfiles.append(str(path))


class NativeDistribution(Distribution):
    """Has data though no file is listed, and belongs to one kind of machine."""

    def has_data_files(self):
        return True

    has_data = has_data_files  # the name that an editable installation asks for

    def has_ext_modules(self):
        return True


(SOURCE / "build").mkdir(exist_ok=True)
setup(version=project_version(), packages=[], py_modules=[], distclass=NativeDistribution,
      cmdclass={"install_data": CMakeInstall}, options={"egg_info": {"egg_base": "build"}})
